// Makes the pages livelier. Every page works without it, and nothing here makes markup out of text.
// @ts-check

/** What the browser lets through besides plain text: nothing that runs or loads. A part must equal what a reload shows. */
const makeSanitizer = () => {
  const sanitizer = new Sanitizer()
  const attributes = [
    "id",
    "class",
    "role",
    "aria-label",
    "aria-hidden",
    "datetime",
    "title",
    "href",
    "scope",
    "value",
    "max"
  ]
  for (const name of attributes) sanitizer.allowAttribute(name)
  for (const name of ["button", "details", "summary", "bdi", "progress"]) sanitizer.allowElement(name)
  return sanitizer
}

/**
 * Not every browser has it yet.
 * @typedef {HTMLElement & { setHTML?: (html: string, options: { sanitizer: Sanitizer }) => void }} Fillable
 */

/**
 * Gets a part of the page that the server makes anew. Each element of it with an id replaces the content of the one with this id. Where
 * the page has no such element, all of it becomes the content of `target`.
 * @param {HTMLElement} target
 * @param {string} part
 * @param {string} url
 * @param {RequestInit} init
 * @returns {Promise<boolean>} false where this browser or this answer needs the whole page
 */
const replacePart = async (target, part, url, init = {}) => {
  /** @type {Fillable} */
  const holder = document.createElement("div")
  if (holder.setHTML === undefined) return false
  const response = await fetch(url, { ...init, headers: { "svc-part": part }, credentials: "same-origin" })
  // `fetch` throws this error too where nothing listens.
  if (response.status === 503) throw new TypeError("the service does not answer")
  if (!response.ok || response.redirected) return false
  holder.setHTML(await response.text(), { sanitizer: makeSanitizer() })
  // A live region keeps its element, or nothing is announced.
  for (const fresh of holder.children) {
    const old = fresh.id === "" ? null : document.getElementById(fresh.id)
    if (old === null) {
      target.replaceChildren(...holder.childNodes)
      break
    }
    old.replaceChildren(...fresh.childNodes)
  }
  return true
}

/**
 * The page stays as it is, with what was typed in it: a reload would find nothing either.
 * @param {HTMLElement} target
 */
const tellAway = (target) => {
  const told = document.createElement("p")
  told.className = "away"
  told.textContent = "The service does not answer right now. Nothing is lost here: try again in a moment."
  for (const old of target.querySelectorAll(".away")) old.remove()
  target.prepend(told)
}

const debounceMs = 90

/** @param {HTMLFormElement} form */
const keepLive = (form) => {
  const target = document.getElementById("what-if-head")
  if (target === null) return
  /** What the form says when nothing is changed. */
  const recorded = new Map(
    [...form.querySelectorAll("input[name],select[name]")].map((field) => [
      field.getAttribute("name") ?? "",
      field.getAttribute("data-recorded") ?? ""
    ])
  )
  let asked = new AbortController()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const ask = async () => {
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form))
      if (typeof value === "string" && value !== recorded.get(name)) query.set(name, value)
    for (const field of form.querySelectorAll("input[name],select[name]"))
      field.parentElement?.classList.toggle("changed", query.has(field.getAttribute("name") ?? ""))
    const url = `${location.pathname}${query.size === 0 ? "" : `?${query}`}`
    // Only the newest question is answered.
    asked.abort()
    asked = new AbortController()
    try {
      if (await replacePart(target, "what-if", url, { signal: asked.signal }))
        history.replaceState(null, "", url)
      else location.assign(url)
    } catch (error) {
      if (error instanceof TypeError) tellAway(target)
      else if (!(error instanceof DOMException && error.name === "AbortError")) location.assign(url)
    }
  }
  form.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(ask, debounceMs)
  })
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    clearTimeout(timer)
    void ask()
  })
}

for (const form of document.querySelectorAll("form[data-live]"))
  if (form instanceof HTMLFormElement) keepLive(form)

const againMs = 1_500

/**
 * A part that shows progress asks for itself until it is done: the rest of the page stays where it is.
 * @param {Element} part
 */
const askAgain = (part) => {
  if (!(part instanceof HTMLElement)) return
  const ask = async () => {
    if (part.querySelector("progress") === null) return
    try {
      if (!document.hidden && !(await replacePart(part, part.id, location.href))) return location.reload()
    } catch {
      tellAway(part)
    }
    setTimeout(ask, againMs)
  }
  setTimeout(ask, againMs)
}

for (const part of document.querySelectorAll("[data-again]")) askAgain(part)

document.addEventListener("submit", (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset["part"] === undefined) return
  const target = document.getElementById(form.dataset["part"])
  if (target === null) return
  event.preventDefault()
  replacePart(target, form.dataset["part"], form.action, { method: "POST" }).then(
    (done) => done || form.submit(),
    (error) => (error instanceof TypeError ? tellAway(target) : form.submit())
  )
})

/** Single keys, which WCAG 2.1.4 wants to be able to turn off. */
const keysDialog = document.querySelector("dialog#keys")
const keysSwitch = document.querySelector("[data-keys-off]")
if (keysSwitch instanceof HTMLInputElement) {
  keysSwitch.checked = localStorage.getItem("keys") === "off"
  keysSwitch.addEventListener("change", () => localStorage.setItem("keys", keysSwitch.checked ? "off" : "on"))
}

/** @param {string} selector */
const focusOn = (selector) => {
  const found = document.querySelector(selector)
  if (found instanceof HTMLElement) found.focus()
}

/** @param {1 | -1} by */
const along = (by) => {
  const links = [...document.querySelectorAll(".item a")]
  const at = document.activeElement === null ? -1 : links.indexOf(document.activeElement)
  const next = links[Math.max(0, Math.min(links.length - 1, at + by))]
  if (next instanceof HTMLElement) next.focus()
  const step = document.querySelector(by === 1 ? "a[rel=next]" : "a[rel=prev]")
  if (links.length === 0 && step instanceof HTMLElement) step.click()
}

/** @type {Readonly<Record<string, () => void>>} */
const acts = {
  j: () => along(1),
  k: () => along(-1),
  "/": () => focusOn("input[type=search]"),
  "?": () => keysDialog instanceof HTMLDialogElement && keysDialog.showModal(),
  w: () => focusOn("form[data-live] input, form[data-live] select"),
  r: () => {
    const form = document.querySelector("form[data-part]")
    if (form instanceof HTMLFormElement) form.requestSubmit()
  }
}

document.addEventListener("keydown", (event) => {
  const { target } = event
  const typing =
    target instanceof Element && target.closest("input:not([type=radio]),select,textarea,dialog") !== null
  if (typing || event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem("keys") === "off")
    return
  const outcome = document.querySelectorAll("input[name=outcome]")[Number(event.key) - 1]
  const act = acts[event.key]
  if (act === undefined && !(outcome instanceof HTMLInputElement)) return
  event.preventDefault()
  if (act !== undefined) act()
  else if (outcome instanceof HTMLInputElement) {
    outcome.checked = true
    outcome.focus()
  }
})

/**
 * Says how many reviews are new, and leads to them. Rows never move by themselves. A page in the background listens to
 * nothing: a browser has few connections to a host.
 * @param {HTMLAnchorElement} pill
 * @param {string} from
 */
const tellNew = (pill, from) => {
  /** @type {Set<string>} */
  const fresh = new Set()
  const url = new URL(from, location.href)
  /** @type {EventSource | undefined} */
  let source
  /** @param {MessageEvent<string>} event */
  const onAssessment = (event) => {
    url.searchParams.set("after", event.lastEventId)
    const id = String(JSON.parse(event.data))
    if (document.querySelector(`.item a[href$="/${CSS.escape(id)}"]`) !== null) return
    fresh.add(id)
    pill.textContent = `${fresh.size} new`
    pill.hidden = false
  }
  const follow = () => {
    source?.close()
    source = undefined
    if (document.hidden) return
    source = new EventSource(url)
    source.addEventListener("assessment", onAssessment)
  }
  document.addEventListener("visibilitychange", follow)
  addEventListener("pagehide", () => source?.close())
  follow()
}

for (const pill of document.querySelectorAll("a[data-live]"))
  if (pill instanceof HTMLAnchorElement) tellNew(pill, pill.dataset["live"] ?? "")
