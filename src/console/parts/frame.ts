/** The frame of every page: head, the bar with the mode and the screens, the list of keyboard shortcuts, and pages with a single message. */

import type { Caller, Scope } from "../../domain/Caller.ts"
import { type Markup, markup, trustedMarkup } from "../../markup.ts"
import { assetPath } from "../assets.ts"
import { attribute } from "./said.ts"

const logo = trustedMarkup(
  '<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="8.5" fill="none" stroke="currentColor" stroke-width="2"/><path d="M10 10 L10 1.5 A8.5 8.5 0 0 1 17.4 14.2 Z" fill="currentColor"/></svg>'
)

/** The bar shows only screens that the key can open. */
const screens: ReadonlyArray<{ readonly path: string; readonly name: string; readonly scope: Scope }> = [
  { path: "reviews", name: "Reviews", scope: "reviews" },
  { path: "assessments", name: "Assessments", scope: "read" },
  { path: "overview", name: "Overview", scope: "read" },
  { path: "rules", name: "Rules", scope: "rules" },
  { path: "evidence", name: "Evidence", scope: "read" },
  { path: "webhooks", name: "Webhooks", scope: "webhooks" }
]

const keys: ReadonlyArray<readonly [keys: ReadonlyArray<string>, does: string]> = [
  [["j", "k"], "next, previous"],
  [["Enter"], "open"],
  [["1–5"], "choose an outcome"],
  [["w"], "what if"],
  [["r"], "replay"],
  [["/"], "search"],
  [["?"], "this list"]
]

const keyList = markup`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${keys.map(
  ([names, does]) =>
    markup`<div><dt>${names.map((name) => markup`<kbd>${name}</kbd> `)}</dt><dd>${does}</dd></div>`
)}</dl><form method="dialog" class="row"><label class="row"><input type="checkbox" data-keys-off> Turn single keys off</label><button class="button">Close</button></form></dialog>`

export type Visitor = Pick<Caller, "mode" | "organization" | "scopes">

const navigation = (visitor: Visitor, at: string | null): Markup =>
  markup`<button class="button menu" type="button" popovertarget="nav">Menu</button><nav id="nav" popover aria-label="Screens"><ul>${screens
    .filter(({ scope }) => visitor.scopes.includes(scope))
    .map(
      ({ name, path }) =>
        markup`<li><a href="/${visitor.mode}/${path}"${attribute(at === path, "aria-current")}>${name}</a></li>`
    )}</ul></nav>
<div class="who"><span class="mode ${visitor.mode}">${visitor.mode}</span><span class="soft small organization">${visitor.organization}</span><form method="post" action="/${visitor.mode}/sign-out"><button class="link">Sign out</button></form></div>`

interface Page {
  readonly title: string
  /** Null before sign-in. */
  readonly visitor: Visitor | null
  /** The path, after the mode, of the screen to which the page belongs. */
  readonly at: string | null
  readonly body: Markup
}

/** Delays drawing until the list of shortcuts after the main part has arrived: a row that is drawn in halves would shift. */
const drawnWhole = markup`<link rel="expect" href="#keys" blocking="render">
`

const head = ({ title, visitor }: Page): Markup => markup`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · action-risk</title>
${visitor === null ? null : drawnWhole}<link rel="icon" href="${assetPath("svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath("css")}">
<script type="module" src="${assetPath("js")}"></script>
</head>`

export const framed = (page: Page): Markup => {
  const { at, body, visitor } = page
  return markup`<!doctype html>
<html lang="en">
${head(page)}
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar ${visitor?.mode ?? ""}"><div>
<a class="brand" href="/" aria-label="action-risk, start">${logo}<span>action-risk</span></a>
${visitor === null ? null : navigation(visitor, at)}
</div></header>
<main id="main" tabindex="-1">
${body}
</main>
${visitor === null ? null : keyList}
</body>
</html>
`
}

interface Notice {
  readonly title: string
  readonly text: string
  readonly visitor?: Visitor
  /** A link to continue. */
  readonly link?: { readonly path: string; readonly name: string }
}

/** A page with a single message. */
export const notice = ({ link, text, title, visitor }: Notice): Markup =>
  framed({
    title,
    at: null,
    visitor: visitor ?? null,
    body: markup`<div class="card notice"><h1>${title}</h1><p>${text}</p>${link === undefined ? null : markup`<p><a class="button" href="${link.path}">${link.name}</a></p>`}</div>`
  })

/** Reloads itself from our own site: a link from another site arrives without the cookie, and this step supplies it. */
export const arrival = (path: string): Markup => markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${path}"><title>action-risk</title></head><body><p><a href="${path}">Go on</a></p></body></html>
`
