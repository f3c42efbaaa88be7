/**
 * A real shell in a sandbox: separate namespaces, no network, and a root folder that holds a shell, a few harmless tools, and stubs
 * under the names of all other programs. A stub records its arguments and does nothing else.
 */

import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const unshare = ["--user", "--map-root-user", "--net", "--mount", "--pid", "--fork"]

/** These run for real: the test is about the programs that they start. */
const tools =
  "bash env xargs timeout nice nohup stdbuf setsid flock cat base64 tr sed seq find tee head tail sort rev cut xxd sleep mkdir"

/** Copies a program and the libraries that it loads. Skips tools that the machine lacks. */
const copyProgram = (name: string, root: string, folder: string): void => {
  const found = spawnSync("which", [name], { encoding: "utf8" }).stdout.trim()
  if (found === "") return
  const libraries = spawnSync("ldd", [found], { encoding: "utf8" }).stdout.matchAll(/(\/\S+) \(0x/g)
  const copy = (from: string, to: string): void => {
    const target = path.join(root, to)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.copyFileSync(from, target)
  }
  copy(found, `${folder}/${name}`)
  for (const [, file = ""] of libraries) copy(file, file)
}

const stub = `#!/bin/bash
printf '%s\\0' "$#" "\${0##*/}" "$@" >> /log
`

/** Each line has two seconds. Files that a line can only have written itself count as a \`tee\` to them. */
const driver = `#!/bin/bash
export PATH=/stubs:/bin HOME=/root
for line in /lines/*; do
  : > /log
  # The background processes of a line end with its namespace.
  (cd /w && /keep/unshare --pid --fork --kill-child /bin/timeout -k 1 2 /bin/bash "$line" < /dev/null > /dev/null 2>&1)
  for file in /root/.bashrc /root/.ssh/authorized_keys /etc/crontab; do
    if [ -e "$file" ]; then printf '%s\\0' 1 tee "$file" >> /log; /keep/rm -f "$file"; fi
  done
  /keep/mv /log "/logs/\${line##*/}"
  /keep/rm -rf /w; /bin/mkdir /w
done
`

/** The programs that one line started: the words of each program. */
export type Started = ReadonlyArray<ReadonlyArray<string>>

const startedOf = (log: string): Started => {
  const words = log.split("\0")
  const started: Array<ReadonlyArray<string>> = []
  for (let at = 0; at < words.length - 1;) {
    const end = at + 2 + Number(words[at])
    started.push(words.slice(at + 1, end))
    at = end
  }
  return started
}

const write = (file: string, text: string, mode = 0o644): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text, { mode })
}

/** Whether this machine can create such a sandbox. */
export const hasRooms = ((): boolean => {
  try {
    execFileSync("unshare", [...unshare, "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

/** Runs each line in a sandbox with stubs under these names. */
export const runLines = (
  lines: ReadonlyArray<string>,
  programs: ReadonlyArray<string>
): ReadonlyArray<Started> => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "room-"))
  try {
    const at = (file: string): string => path.join(root, file)
    for (const name of tools.split(" ")) copyProgram(name, root, "bin")
    for (const name of ["rm", "mv", "unshare"]) copyProgram(name, root, "keep")
    fs.symlinkSync("bash", at("bin/sh"))
    for (const name of programs) write(at(`stubs/${name}`), stub, 0o755)
    write(at("driver"), driver, 0o755)
    for (const folder of ["w", "logs", "root/.ssh", "etc", "tmp", "dev"])
      fs.mkdirSync(at(folder), { recursive: true })
    write(at("dev/null"), "")
    for (const [i, line] of lines.entries()) write(at(`lines/${String(i).padStart(6, "0")}`), `${line}\n`)
    execFileSync("unshare", [...unshare, "chroot", root, "/bin/bash", "/driver"], {
      stdio: ["ignore", "ignore", "inherit"]
    })
    return lines.map((_, i) => startedOf(fs.readFileSync(at(`logs/${String(i).padStart(6, "0")}`), "utf8")))
  } finally {
    fs.rmSync(root, { recursive: true, force: true })
  }
}
