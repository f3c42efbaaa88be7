/** The sign-in page: with a key, or with a link made by the operator. */

import { type Markup, markup } from "../../markup.ts"
import { framed } from "../parts/frame.ts"

interface SignInForm {
  /** A path of the console to return to. */
  readonly next: string
  /** The secret of a link; null to sign in with a key. */
  readonly link: string | null
  /** Why the last attempt failed; null before the first attempt. */
  readonly problem: string | null
}

const problemOf = (problem: string | null): Markup | null =>
  problem === null ? null : markup`<p class="problem" role="alert">${problem}</p>`

const byKey = ({ next, problem }: SignInForm): Markup => markup`<h1>Sign in</h1>
${problemOf(problem)}
<form method="post" action="/sign-in" class="stack"><input type="hidden" name="next" value="${next}"><div><label for="key">API key</label><input id="key" name="key" type="password" autocomplete="off" required maxlength="120" aria-describedby="key-help"></div><p id="key-help" class="note">It is exchanged for a session of at most twelve hours and is not kept in this browser. The key decides what you see: its organization, its mode, and a screen for each of its scopes. Without a key, your operator makes a link: <code>action-risk console link --org …</code></p><div><button class="button primary">Sign in</button></div></form>`

// Uses a button and not a redirect, because programs that preview links would use the link up before a person opens it.
const byLink = ({ link, next, problem }: SignInForm): Markup => markup`<h1>Sign in</h1>
${problemOf(problem)}
<form method="post" action="/sign-in" class="stack"><input type="hidden" name="next" value="${next}"><input type="hidden" name="link" value="${link ?? ""}"><p>This link signs in once, within a minute of its making.</p><div><button class="button primary">Sign in</button></div></form>`

export const signInPage = (form: SignInForm): Markup =>
  framed({
    title: "Sign in",
    at: null,
    visitor: null,
    body: markup`<div class="card sign-in">${form.link === null ? byKey(form) : byLink(form)}</div>`
  })
