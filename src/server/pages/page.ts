/** The frame of the pages under /docs: one column that works without scripts and loads nothing. */

export const pageText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Turns text in backticks into code. */
export const pageProse = (text: string): string => pageText(text).replace(/`([^`]+)`/g, "<code>$1</code>")

/** A whole page. `body` is HTML. */
export const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${pageText(title)} · action-risk</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>${pageText(title)}</h1>
${body}
<p class="foot"><a href="/docs">API reference</a> · <a href="/openapi.json">OpenAPI document</a></p>
</main>
</body>
</html>
`

/** Light or dark according to the reader's system settings, with the system's fonts. */
const styles = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5a6470; --paper: #fdfdfc; --line: #dfe3e6; --link: #0b57a4; --code: #f3f4f2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e9ea; --soft: #a3adb8; --paper: #15181b; --line: #31373d; --link: #8ab8f0; --code: #1f2428; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 2.25rem; line-height: 1.2; margin: 0 0 1rem; letter-spacing: -0.02em; }
h2 { font: 600 1.1rem/1.4 ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover, h2 a:focus-visible { text-decoration: underline; }
.lead { font-size: 1.15rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px; }
code { font: 0.9em/1.5 ui-monospace, monospace; background: var(--code); padding: 0.1em 0.3em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
table { width: 100%; border-collapse: collapse; margin: 2rem 0; font-size: 0.95rem; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.5rem; }
th, td { text-align: left; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
td:first-child { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
section { padding: 1.75rem 0 1rem; border-top: 1px solid var(--line); }
section:target h2 { color: var(--link); }
.facts { margin: 0.25rem 0 0.75rem; color: var(--soft); font-size: 0.9rem; }
.facts span + span::before { content: "·"; margin: 0 0.5rem; }
summary { cursor: pointer; color: var(--soft); }
.foot { margin-top: 3rem; }
`
