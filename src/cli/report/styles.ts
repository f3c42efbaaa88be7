/** The style sheet of the page: light or dark according to the reader's system, system fonts, and white paper in print. */

const light =
  "--ink:#1c2024;--soft:#59636e;--paper:#fdfdfc;--card:#f5f6f4;--line:#dfe3e6;--link:#0b57a4;--good:#12703f;--look:#8a5a00;--bad:#b3261e;--rise:#2a66b5;--fall:#b4530a;"
const dark =
  "--ink:#e7e9ea;--soft:#a3adb8;--paper:#15181b;--card:#1c2125;--line:#333a40;--link:#8ab8f0;--good:#6ccf9c;--look:#e5b558;--bad:#ff938a;--rise:#6ea6ec;--fall:#e8954f;"

const tint = (name: string, share: string): string =>
  `color-mix(in srgb,var(--${name}) ${share},var(--paper))`

const tints = `--still:${tint("ink", "9%")};--blank:${tint("ink", "3%")};${["rise", "fall"]
  .map((name) =>
    ["18%", "34%", "52%"].map((share, at) => `--${name}-${at + 1}:${tint(name, share)};`).join("")
  )
  .join("")}`

export const reportStyles = `
:root{color-scheme:light dark;${light}${tints}}
@media (prefers-color-scheme:dark){:root{${dark}}}
@media print{:root{color-scheme:light;${light}--paper:#fff;}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:66rem;margin:0 auto;padding:3rem 1.25rem 4rem}
h1{font-size:2.25rem;line-height:1.2;margin:0;letter-spacing:-.02em}
h1 .arrow{color:var(--soft);font-weight:400;padding:0 .15em}
h2{font-size:1.35rem;line-height:1.3;margin:0 0 .5rem;letter-spacing:-.01em}
h3{font-size:1rem;line-height:1.4;margin:2rem 0 .5rem}
p{margin:.5rem 0;max-width:44rem}
section{margin-top:2.5rem;padding-top:2rem;border-top:1px solid var(--line)}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,pre:focus-visible{outline:2px solid var(--link);outline-offset:3px;border-radius:2px}
code{font-family:ui-monospace,monospace;font-size:.9em}
.eyebrow{color:var(--soft);margin:0 0 .25rem}
.soft,.meta{color:var(--soft);font-size:.92rem}
.meta{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;margin:1rem 0 0}
.meta dd{margin:0}
.answers{list-style:none;margin:2rem 0 0;padding:0;border:1px solid var(--line);border-radius:10px;background:var(--card)}
.answers li{display:grid;grid-template-columns:1.6rem 17.5rem 1fr;gap:.25rem .75rem;padding:.8rem 1.1rem;align-items:baseline}
.answers li+li{border-top:1px solid var(--line)}
.answers a{color:inherit;text-decoration:none;font-weight:600}
.answers a:hover{text-decoration:underline}
.mark{font-weight:700;font-size:1.1rem;line-height:1;text-align:center}
.good{color:var(--good)}.look{color:var(--look)}.bad{color:var(--bad)}.none{color:var(--soft)}
.rise{color:var(--rise)}.fall{color:var(--fall)}
.chip{display:inline-block;border:1px solid currentColor;border-radius:99px;padding:0 .6em;font-size:.8rem;line-height:1.5;font-weight:600;white-space:nowrap}
.list{list-style:none;margin:1rem 0 0;padding:0}
.list>li{padding:.75rem 0;border-top:1px solid var(--line)}
.list>li:first-child{border-top:0;padding-top:0}
.card{border:1px solid var(--line);border-radius:10px;padding:1rem 1.1rem;margin:1rem 0 0}
.card header{display:flex;flex-wrap:wrap;gap:.35rem .75rem;align-items:baseline;justify-content:space-between}
.card h4{font:600 1rem/1.4 ui-monospace,monospace;margin:0}
.card ul{margin:.5rem 0;padding-left:1.2rem}
.scores{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .9rem;margin:.75rem 0 .25rem}
.scores b{font-variant-numeric:tabular-nums}
.scale{width:12rem;height:14px;flex:none}
details{margin:.5rem 0}
summary{cursor:pointer;color:var(--soft)}
summary:hover{color:var(--ink)}
pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.9rem;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font:.85rem/1.5 ui-monospace,monospace}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:.75rem;margin:1.25rem 0 0}
.tiles div{border:1px solid var(--line);border-radius:10px;padding:.7rem .9rem}
.tiles dt{color:var(--soft);font-size:.9rem}
.tiles dd{margin:0;font-size:1.5rem;line-height:1.3;font-weight:600;font-variant-numeric:tabular-nums}
.charts{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.5rem 3rem;margin-top:2rem}
figure{margin:0;max-width:30rem;break-inside:avoid}
figcaption{font-weight:600}
figcaption span{display:block;font-weight:400;color:var(--soft);font-size:.92rem}
.chart{display:block;width:100%;margin-top:.75rem;overflow:visible}
.chart text{font:14px system-ui,sans-serif;fill:var(--ink)}
.chart .heading{fill:var(--soft)}
.chart .grid{stroke:var(--line)}.chart .axis{stroke:var(--soft)}
table{width:100%;border-collapse:collapse;font-size:.92rem;margin:.75rem 0}
caption{text-align:left;color:var(--soft);padding-bottom:.35rem}
th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:baseline}
th{font-weight:600}
thead th{overflow-wrap:normal}
td.number,th.number{text-align:right;white-space:nowrap;overflow-wrap:normal;font-variant-numeric:tabular-nums}
.move summary{color:var(--ink);display:flex;flex-wrap:wrap;gap:.1rem 1rem;justify-content:space-between}
.move summary .soft{flex-basis:100%}
.move summary code::before{content:"▸ ";color:var(--soft)}
.move [open]>summary code::before{content:"▾ "}
.foot{margin-top:3rem;color:var(--soft);font-size:.92rem}
@media (max-width:52rem){
main{padding:1.75rem 1rem 3rem}
h1{font-size:1.75rem}
.answers li{grid-template-columns:1.6rem 1fr;padding:.8rem .9rem}
.answers li span:last-child{grid-column:2}
.charts{grid-template-columns:minmax(0,1fr)}
.tiles{grid-template-columns:repeat(2,minmax(0,1fr))}
.tiles div:first-child{grid-column:1/-1}
}
@media print{
@page{margin:16mm}
html{font-size:10pt}
main{max-width:none;padding:0}
a{color:inherit;text-decoration:none}
.card,.answers li,.tiles div,.list>li{break-inside:avoid}
h2,h3{break-after:avoid}
details:not([open]){display:none}
.move details{display:block}
.move summary code::before{content:none}
.tiles{grid-template-columns:repeat(7,minmax(0,1fr));gap:.4rem}
.tiles div:first-child{grid-column:auto}
.charts{grid-template-columns:repeat(2,minmax(0,1fr));gap:1rem 1.5rem}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`
