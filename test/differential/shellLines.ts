/** Random command lines in the full shell syntax, around commands that would do harm if they ran. */

import fc from "fast-check"
import { frames, prefixes, quoted, shells } from "../support/routes.ts"

/** The words of each command. */
const deeds: ReadonlyArray<ReadonlyArray<string>> = [
  "rm -rf /",
  "rm -rf /root",
  "git push --force origin main",
  "git reset --hard",
  "git status",
  "git log --oneline",
  "kubectl delete namespace shop",
  "terraform destroy -auto-approve",
  "dd if=/dev/zero of=/dev/sda",
  "curl -X DELETE https://api.acme.example/orders",
  "chmod -R 777 /",
  "dropdb shop",
  "aws s3 rm s3://backups --recursive",
  "shred -u /root/.ssh/id_rsa",
  "docker system prune -af",
  "npm publish",
  "systemctl stop nginx",
  "ls -la",
  "jq . a.json"
].map((line) => line.split(" "))

export const programs: ReadonlyArray<string> = [...new Set(deeds.map(([name = ""]) => name))]

const octal = (text: string): string =>
  [...text].map((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")
const hex = (text: string): string =>
  [...text].map((one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")

/** Spellings of one word. Each returns a shell word, and what must run before the command. */
type Spelled = readonly [before: string, word: string]
type Spell = (word: string, name: string) => Spelled
const spells: Readonly<Record<string, Spell>> = {
  plain: (word) => ["", /^[\w./:=@-]+$/.test(word) ? word : quoted(word)],
  "single quotes": (word) => ["", quoted(word)],
  "double quotes": (word) => ["", `"${word}"`],
  "quotes inside": (word) => ["", `${word.slice(0, 1)}""${word.slice(1)}`],
  "a backslash": (word) => ["", `\\${word}`],
  "hexadecimal digits": (word) => ["", `$'${hex(word)}'`],
  "octal digits": (word) => ["", `$'${octal(word)}'`],
  "a variable": (word, name) => [`${name}=${quoted(word)}`, `"$${name}"`],
  "a variable without quotes": (word, name) => [`${name}=${quoted(word)}`, `$${name}`],
  "two variables": (word, name) => [
    `${name}=${quoted(word.slice(0, 1))}; ${name}2=${quoted(word.slice(1))}`,
    `"$${name}$${name}2"`
  ],
  "a default": (word, name) => ["", `"\${${name}:-${word}}"`],
  "an assigning default": (word, name) => ["", `"\${${name}:=${word}}"`],
  "an alternative": (word, name) => [`${name}=x`, `"\${${name}:+${word}}"`],
  "without its beginning": (word, name) => [`${name}=${quoted(`xx${word}`)}`, `"\${${name}#xx}"`],
  "without its end": (word, name) => [`${name}=${quoted(`${word}xx`)}`, `"\${${name}%xx}"`],
  "a part": (word, name) => [`${name}=${quoted(`xx${word}`)}`, `"\${${name}:2}"`],
  "replaced characters": (word, name) => [`${name}=${quoted(`_${word}`)}`, `"\${${name}/_/}"`],
  "lower case": (word, name) => [`${name}=${quoted(word.toUpperCase())}`, `"\${${name},,}"`],
  "an indirect name": (word, name) => [`${name}=${quoted(word)}; ${name}2=${name}`, `"\${!${name}2}"`],
  "a reference": (word, name) => [`${name}=${quoted(word)}; declare -n ${name}2=${name}`, `"$${name}2"`],
  "an element": (word, name) => [`${name}=(x ${quoted(word)})`, `"\${${name}[1]}"`],
  "the output of echo": (word) => ["", `"$(echo ${quoted(word)})"`],
  backticks: (word) => ["", `"\`echo ${quoted(word)}\`"`],
  "the output of printf": (word) => ["", `"$(printf ${quoted(hex(word))})"`],
  "printf into a variable": (word, name) => [`printf -v ${name} '%s' ${quoted(word)}`, `"$${name}"`],
  "read into a variable": (word, name) => [`read -r ${name} <<< ${quoted(word)}`, `"$${name}"`],
  "the output of a decoder": (word) => ["", `"$(echo ${Buffer.from(word).toString("base64")} | base64 -d)"`],
  "the output of rev": (word) => ["", `"$(echo ${quoted([...word].toReversed().join(""))} | rev)"`],
  braces: (word) => ["", `{${word},}`]
}

const spellNames = Object.keys(spells)

/** Ways to pass all words of a command at once. */
const wholes: Readonly<Record<string, (words: ReadonlyArray<string>) => string>> = {
  "an array": (words) => `a=(${words.map(quoted).join(" ")}); "\${a[@]}"`,
  "positional words": (words) => `set -- ${words.map(quoted).join(" ")}; "$@"`,
  "a function of its words": (words) => `f() { "$@"; }; f ${words.join(" ")}`,
  "one variable": (words) => `c=${quoted(words.join(" "))}; $c`,
  "fields of another sign": (words) => `IFS=,; c=${quoted(words.join(","))}; $c`,
  braces: (words) => `{${words.join(",")}}`,
  eval: (words) => `eval ${words.map(quoted).join(" ")}`,
  "eval of a variable": (words) => `c=${quoted(words.join(" "))}; eval "$c"`,
  "a loop that reads": (words) => `while read -r c; do $c; done <<< ${quoted(words.join(" "))}`,
  mapfile: (words) => `mapfile -t a <<< ${quoted(words.join("\n"))}; "\${a[@]}"`,
  xargs: ([name = "", ...rest]) => `echo ${quoted(rest.join(" "))} | xargs ${name}`,
  "xargs for all of it": (words) => `echo ${quoted(words.join(" "))} | xargs env`,
  "find -exec": (words) => `find /w -maxdepth 0 -exec ${words.map(quoted).join(" ")} \\;`,
  "the arguments of a shell": (words) => `bash -c '"$@"' x ${words.map(quoted).join(" ")}`,
  trap: (words) => `trap ${quoted(words.join(" "))} EXIT`,
  "a lookup": (words) => `declare -A m=([k]=${quoted(words.join(" "))}); \${m[k]}`,
  "a prompt": (words) => `c=${quoted(`$(${words.join(" ")})`)}; : "\${c@P}"`,
  arithmetic: (words) => `: "$(( $(${words.join(" ")}; echo 1) ))"`,
  "a process substitution": (words) => `cat <(${words.join(" ")})`,
  "an alias": (words) => `shopt -s expand_aliases\nalias c=${quoted(words.join(" "))}\nc`,
  "a coprocess": (words) => `coproc ${words.join(" ")}; wait`,
  "a function under another name": ([name = "", ...rest]) => `g() { ${name} "$@"; }; g ${rest.join(" ")}`
}

/** Around a whole command line. */
const around: Readonly<Record<string, (line: string) => string>> = {
  // A real shell keeps the \r of the lines of Windows in the last word.
  ...Object.fromEntries(Object.entries(frames).filter(([name]) => name !== "lines of Windows")),
  ...Object.fromEntries(
    Object.entries(shells).filter(
      ([name]) => !/^(?:watch|script -c|su -c|powershell.*|a script.*)$/.test(name)
    )
  ),
  "a script": (line) => `cat > x.sh <<'E'\n${line}\nE\nbash x.sh`,
  until: (line) => `until ${line}; do break; done`,
  "behind a test": (line) => `[ -e /none ] || { ${line}; }`,
  "in a condition": (line) => `if ! { ${line}; }; then :; fi`,
  "behind a comment": (line) => `# nothing\n${line}`,
  "a subshell of a variable": (line) => `X=$(${line})`,
  "source of an input": (line) => `source /dev/stdin <<< ${quoted(line)}`,
  "a function that is called in another": (line) => `f() { ${line}\n}; g() { f; }; g`,
  "an exported function": (line) => `f() { ${line}\n}; export -f f; bash -c f`,
  "to a file": (line) => `{ ${line}\n} > out.txt`,
  "from a file": (line) => `{ ${line}\n} < /dev/null`,
  "with an error pipe": (line) => `{ ${line}\n} 2>&1 | cat`
}
const aroundNames = Object.keys(around)
const prefixNames = Object.keys(prefixes).filter((name) => !/^(?:ionice|flock|exec)$/.test(name))

const spelled = fc
  .tuple(
    fc.constantFrom(...deeds),
    fc.array(fc.constantFrom(...spellNames), { minLength: 6, maxLength: 6 }),
    fc.option(fc.constantFrom(...prefixNames), { freq: 3 })
  )
  .map(([words, names, prefix]) => {
    const parts = words.map((word, i) => (spells[names[i] ?? "plain"] as Spell)(word, `v${i}`))
    const before = parts.flatMap(([text]) => (text === "" ? [] : [text]))
    const command = parts.map(([, word]) => word).join(" ")
    const carried = prefix === null ? command : (prefixes[prefix] as (line: string) => string)(command)
    return [...before, carried].join("; ")
  })

const whole = fc
  .tuple(fc.constantFrom(...Object.values(wholes)), fc.constantFrom(...deeds))
  .map(([carry, words]) => carry(words))

/** Writes to files that others obey. */
const written = fc
  .tuple(
    fc.constantFrom("echo x >", "echo x >>", "printf x | tee -a", "cat <<< x >"),
    fc.constantFrom("/root/.bashrc", "~/.bashrc", "$HOME/.ssh/authorized_keys", "/etc/crontab")
  )
  .map(([writes, file]) => `${writes} ${file}`)

const simple = fc.oneof({ weight: 4, arbitrary: spelled }, { weight: 3, arbitrary: whole }, written)

export const shellLine: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(simple, { minLength: 1, maxLength: 2 }),
    fc.array(fc.constantFrom(...aroundNames), { maxLength: 3 })
  )
  .map(([lines, frames_]) =>
    frames_.reduce((line, name) => (around[name] as (line: string) => string)(line), lines.join("\n"))
  )
