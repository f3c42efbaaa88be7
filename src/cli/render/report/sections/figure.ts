/** A chart with its caption, and the same numbers as a table for those who would rather read them. */

import { type Chart, draw } from "../charts/draw.ts"
import { type Markup, markup } from "../markup.ts"

interface Table {
  readonly heads: ReadonlyArray<string>
  /** The first cell names the row; the others are figures. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

export const chartFigure = (chart: Chart, { heads, rows }: Table): Markup =>
  markup`<figure><figcaption>${chart.title}<span>${chart.description}</span></figcaption>
${draw(chart)}
<details><summary>The numbers</summary><table>
<thead><tr>${heads.map((head, at) => markup`<th scope="col"${at === 0 ? null : numeric}>${head}</th>`)}</tr></thead>
<tbody>
${rows.map(([name = "", ...cells]) => markup`<tr><th scope="row">${name}</th>${cells.map((cell) => markup`<td class="number">${cell}</td>`)}</tr>\n`)}</tbody></table></details>
</figure>
`

const numeric = markup` class="number"`
