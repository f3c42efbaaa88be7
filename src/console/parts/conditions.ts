/** The condition of a rule as a tree: what it requires and, if it was evaluated, the values that it found. */

import { type Markup, markup } from "../../markup.ts"
import { said } from "./said.ts"

/** One line of a condition, with the lines grouped below it. */
export interface ConditionView {
  readonly text: string
  /** Absent if it was not evaluated. */
  readonly holds?: boolean
  /** Only for a single evaluated test: the value that it found, and how far that is from its threshold. */
  readonly saw?: { readonly text: string; readonly assumed: boolean; readonly short: string | null }
  /** Only for a group. */
  readonly terms?: ReadonlyArray<ConditionView>
}

const sign = (holds: boolean): Markup =>
  holds
    ? markup`<span class="sign" aria-hidden="true">✓</span><span class="visually-hidden">holds: </span>`
    : markup`<span class="sign" aria-hidden="true">✗</span><span class="visually-hidden">does not hold: </span>`

const sawOf = ({ assumed, short, text }: NonNullable<ConditionView["saw"]>): Markup =>
  markup`${said(text)}${assumed ? markup` <span class="assumed">assumed</span>` : null}${short === null ? null : markup` <span class="short">${short}</span>`}`

const line = ({ holds, saw, text }: ConditionView): Markup =>
  holds === undefined
    ? markup`<div class="atom bare"><span>${text}</span></div>`
    : markup`<div class="atom ${holds ? "yes" : "no"}">${sign(holds)}<span>${text}</span><span class="saw">${saw === undefined ? null : sawOf(saw)}</span></div>`

const branch = (condition: ConditionView): Markup =>
  markup`<li>${line(condition)}${condition.terms === undefined ? null : markup`<ul>${condition.terms.map(branch)}</ul>`}</li>`

export const conditionTree = (conditions: ReadonlyArray<ConditionView>): Markup =>
  markup`<div class="tree"><ul class="top">${conditions.length === 0 ? markup`<li>always</li>` : conditions.map(branch)}</ul></div>`
