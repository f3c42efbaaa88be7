/** Webhook endpoints as a list, and one endpoint with its deliveries: their results, and a button to redeliver. */

import type { WebhookDelivery, WebhookEndpointItem } from "../../api/Webhooks.ts"
import { type DeliveryStatus, deliveryStatuses, type WebhookFormat } from "../../domain/WebhookEvent.ts"
import { type Markup, markup } from "../../markup.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { ago, attribute, said } from "../parts/said.ts"

interface WebhooksView {
  readonly visitor: Visitor
  readonly nowMs: number
}

export interface EndpointsView extends WebhooksView {
  readonly endpoints: ReadonlyArray<WebhookEndpointItem>
  /** The cursor of the next page; null on the last page. */
  readonly older: string | null
}

const stateOf = (enabled: boolean): Markup =>
  enabled ? markup`<span class="state on">enabled</span>` : markup`<span class="state off">disabled</span>`

/** The name of the chat, for formats that are chat messages. */
const chats: Readonly<Record<WebhookFormat, string | null>> = {
  standard: null,
  slack: "Slack",
  teams: "Teams"
}

const wants = ({ events, format, min_level }: WebhookEndpointItem): string => {
  const chat = chats[format]
  return `${chat === null ? "" : `${chat}: `}${events.join(", ")}${min_level === "low" ? "" : `, from ${min_level} on`}`
}

const endpointRow =
  ({ nowMs, visitor }: WebhooksView) =>
  (endpoint: WebhookEndpointItem): Markup =>
    markup`<li class="item endpoint">${stateOf(endpoint.enabled)}<div class="act"><a href="/${visitor.mode}/webhooks/${endpoint.id}">${said(endpoint.url)}</a><div class="soft small">${wants(endpoint)}</div></div><span class="clip soft">${endpoint.description === null ? "" : said(endpoint.description)}</span><span class="age soft num">${ago(endpoint.created_at, nowMs)}</span></li>`

const noEndpoints = markup`<div class="list empty"><p><b>There are no endpoints yet.</b></p><p class="soft">An endpoint receives events about assessments and reviews, signed by Standard Webhooks. Make one with a key of the scope <code>webhooks</code>:</p><pre tabindex="0">curl -s $URL/api/v1/webhook-endpoints -H "authorization: Bearer $KEY" \\
  -H 'content-type: application/json' \\
  -d '{"url": "https://hooks.example.com/risk", "events": ["assessment.high", "assessment.critical"]}'</pre><p class="soft">The operator can send messages to a channel of Slack or Teams instead: <code>action-risk webhooks create --format slack</code>.</p></div>`

export const endpointsPage = (view: EndpointsView): Markup => {
  const { endpoints, older, visitor } = view
  return framed({
    title: "Webhooks",
    visitor,
    at: "webhooks",
    body: markup`<h1>Webhooks</h1>
<p class="facts lead"><span>Endpoints that receive events about assessments and reviews, and their deliveries.</span></p>
${endpoints.length === 0 ? noEndpoints : markup`<ol class="list" aria-label="Endpoints">${endpoints.map(endpointRow(view))}</ol>`}
${older === null ? null : markup`<nav class="row pages" aria-label="Pages"><a class="button" rel="next" href="?cursor=${older}">Older</a></nav>`}
<p class="foot">Secrets are shown once, when an endpoint is made, and never here.</p>`
  })
}

export interface EndpointView extends WebhooksView {
  readonly endpoint: WebhookEndpointItem
  /** Null: deliveries of every status. */
  readonly status: DeliveryStatus | null
  readonly deliveries: ReadonlyArray<WebhookDelivery>
  readonly older: string | null
  readonly isLater: boolean
  /** The delivery that was just queued. */
  readonly queued: string | null
  /** Why nothing was queued. */
  readonly problem: string | null
}

const statusTab = ({ endpoint, status, visitor }: EndpointView, one: DeliveryStatus | null): Markup =>
  markup`<a href="/${visitor.mode}/webhooks/${endpoint.id}${one === null ? "" : `?status=${one}`}"${attribute(one === status, "aria-current")}>${one ?? "all"}</a>`

const minuteMs = 60_000

const nextText = (inMs: number): string => {
  if (inMs <= 0) return "the next is due"
  return inMs < minuteMs
    ? `next in ${Math.round(inMs / 1_000)} s`
    : `next in ${Math.round(inMs / minuteMs)} min`
}

const resultOf = ({ attempts, last_status, next_attempt_at, status }: WebhookDelivery, nowMs: number) => {
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`
  const answer =
    last_status === null ? (attempts === 0 ? "not tried yet" : "no answer") : `answered ${last_status}`
  const next =
    next_attempt_at === null || status === "delivered"
      ? ""
      : `, ${nextText(Date.parse(next_attempt_at) - nowMs)}`
  return `${answer}, ${tries}${next}`
}

const deliveryRow =
  ({ endpoint, nowMs, queued, visitor }: EndpointView) =>
  (delivery: WebhookDelivery): Markup =>
    markup`<li class="item delivery${delivery.id === queued ? " fresh" : ""}"><span class="state ${delivery.status}">${delivery.status}</span><div class="act"><b>${delivery.type}</b><div class="soft small mono clip">${delivery.event_id}</div></div><span class="soft">${resultOf(delivery, nowMs)}</span>${
      endpoint.enabled && delivery.status !== "pending"
        ? markup`<form method="post" action="/${visitor.mode}/webhooks/${endpoint.id}/redeliver"><input type="hidden" name="delivery" value="${delivery.id}"><button class="button small" aria-label="Deliver again: ${delivery.type}, ${delivery.event_id}">Deliver again</button></form>`
        : markup`<span></span>`
    }<span class="age soft num">${ago(delivery.created_at, nowMs)}</span></li>`

const nothing = ({ isLater, status }: EndpointView): Markup =>
  markup`<div class="list empty"><p>${isLater ? "There are no older ones." : status === null ? "Nothing was sent to it yet." : `No delivery is ${status}.`}</p></div>`

const pages = ({ endpoint, isLater, older, status, visitor }: EndpointView): Markup | null => {
  if (older === null && !isLater) return null
  const path = `/${visitor.mode}/webhooks/${endpoint.id}`
  const kept: Record<string, string> = status === null ? {} : { status }
  const to = (more: Record<string, string>) => `${path}?${new URLSearchParams({ ...kept, ...more })}`
  return markup`<nav class="row pages" aria-label="Pages">${isLater ? markup`<a class="button" href="${to({})}">Newest</a>` : null}${older === null ? null : markup`<a class="button" rel="next" href="${to({ cursor: older })}">Older</a>`}</nav>`
}

const outcomeOf = ({ problem, queued }: EndpointView): Markup | null => {
  if (problem !== null) return markup`<p class="problem" role="alert">${problem}</p>`
  if (queued === null) return null
  return markup`<p class="banner" role="status">Queued. Load this page again in a moment to see what came of it.</p>`
}

const about = ({ endpoint }: EndpointView): Markup =>
  markup`<section class="card" aria-labelledby="about"><h2 id="about">Events it receives</h2><dl class="table"><div><dt>told as</dt><dd>${chats[endpoint.format] === null ? "events" : `messages for ${chats[endpoint.format]}`}</dd></div><div><dt>events</dt><dd><ul class="tags flush">${endpoint.events.map((event) => markup`<li class="tag">${event}</li>`)}</ul></dd></div><div><dt>from level</dt><dd>${endpoint.min_level}</dd></div><div><dt>note</dt><dd>${endpoint.description === null ? markup`<span class="soft">none</span>` : said(endpoint.description)}</dd></div><div><dt>id</dt><dd class="mono small">${endpoint.id}</dd></div></dl></section>`

const ping = ({ endpoint, visitor }: EndpointView): Markup | null =>
  endpoint.enabled
    ? markup`<form method="post" action="/${visitor.mode}/webhooks/${endpoint.id}/test"><button class="button">Send a ping</button></form>`
    : null

export const endpointPage = (view: EndpointView): Markup => {
  const { deliveries, endpoint, nowMs, visitor } = view
  const off = endpoint.enabled
    ? null
    : markup`<p class="problem">This endpoint is disabled and receives nothing: a person disabled it, or it failed too often; <code>PATCH /api/v1/webhook-endpoints/${endpoint.id}</code> enables it.</p>`
  return framed({
    title: "Webhook endpoint",
    visitor,
    at: "webhooks",
    body: markup`<div class="crumbs"><a href="/${visitor.mode}/webhooks">← Webhooks</a>${ping(view)}</div>
${outcomeOf(view)}<h1>${said(endpoint.url)}</h1>
<div class="facts">${stateOf(endpoint.enabled)}<span>made ${ago(endpoint.created_at, nowMs)} ago</span></div>
<div class="stack below">${off}${about(view)}</div>
<div class="tools"><h2 class="grow">Deliveries</h2><nav class="tabs" aria-label="Status">${[null, ...deliveryStatuses].map((one) => statusTab(view, one))}</nav></div>
${deliveries.length === 0 ? nothing(view) : markup`<ol class="list" aria-label="Deliveries">${deliveries.map(deliveryRow(view))}</ol>`}
${pages(view)}
<p class="foot">Delivered again, an event keeps its <code>webhook-id</code>: a receiver that counts ids handles it once.</p>`
  })
}
