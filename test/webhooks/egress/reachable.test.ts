/** Where the requests of one URL may go. */

import { describe, expect, it } from "vitest"
import { type EgressOptions, reachableAddresses } from "../../../src/webhooks/egress/checkUrl.ts"

const addresses = ["127.0.0.1", "::1", "8.8.8.8", "2606:4700::1", "10.0.0.1", "169.254.169.254", "0.0.0.0"]
const reached = (url: string, allowInsecure: EgressOptions["allowInsecure"]) =>
  addresses.filter(reachableAddresses(new URL(url), { allowInsecure }))

const thisMachine = ["127.0.0.1", "::1"]
const theInternet = ["8.8.8.8", "2606:4700::1"]

describe("a URL leads", () => {
  it.each(["https://hooks.example.com/", "http://localhost/", "https://127.0.0.1/", "http://[::1]/"])(
    "to the internet alone: %s",
    (url) => {
      expect(reached(url, null)).toEqual(theInternet)
    }
  )

  it.each(["http://localhost:4000/", "http://127.0.0.9/", "https://[::1]/"])(
    "to this machine alone where that is permitted and it says so: %s",
    (url) => {
      expect(reached(url, "loopback")).toEqual(thisMachine)
    }
  )

  it.each(["https://hooks.example.com/", "http://a.localhost/", "https://10.0.0.1/"])(
    "to the internet alone where this machine is permitted and it does not say so: %s",
    (url) => {
      expect(reached(url, "loopback")).toEqual(theInternet)
    }
  )
})
