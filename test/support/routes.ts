/** Routes of a command from an agent to a shell. None of them changes what the command does. */

export const quoted = (command: string): string => `'${command.replaceAll("'", String.raw`'\''`)}'`
export const base64 = (text: string): string => Buffer.from(text).toString("base64")

type Routes = Readonly<Record<string, (command: string) => string>>

/** Before the words of one command. */
export const prefixes: Routes = {
  env: (command) => `env ${command}`,
  "env with a hyphen": (command) => `env - ${command}`,
  "env with a variable": (command) => `env -u PATH A=1 ${command}`,
  "an assignment": (command) => `A=1 ${command}`,
  timeout: (command) => `timeout -k 5 10 ${command}`,
  nice: (command) => `nice -n 5 ${command}`,
  ionice: (command) => `ionice -c2 -n7 ${command}`,
  nohup: (command) => `nohup ${command}`,
  stdbuf: (command) => `stdbuf -oL ${command}`,
  setsid: (command) => `setsid ${command}`,
  time: (command) => `time ${command}`,
  command: (command) => `command ${command}`,
  exec: (command) => `exec ${command}`,
  flock: (command) => `flock /tmp/lock ${command}`
}

/** Wraps a command in shell syntax. */
export const frames: Routes = {
  "in the background": (command) => `${command} &`,
  "a subshell": (command) => `(${command})`,
  "a group": (command) => `{ ${command}; }`,
  "behind another": (command) => `true && ${command}`,
  "behind a failure": (command) => `false || ${command}`,
  "in front of another": (command) => `${command}; true`,
  "lines of Windows": (command) => `true\r\n${command}\r\n`,
  if: (command) => `if true; then ${command}; fi`,
  else: (command) => `if false; then true; else ${command}; fi`,
  while: (command) => `while true; do ${command}; break; done`,
  for: (command) => `for i in 1; do ${command}; done`,
  case: (command) => `case x in x) ${command};; esac`,
  "a function": (command) => `f() { ${command}; }; f`
}

/** A command for a nested shell. */
export const shells: Routes = {
  "sh -c": (command) => `sh -c ${quoted(command)}`,
  "bash -lc": (command) => `bash -lc ${quoted(command)}`,
  "bash -e -u -c": (command) => `bash -e -u -c ${quoted(command)}`,
  "two shells": (command) => `bash -c ${quoted(`sh -c ${quoted(command)}`)}`,
  "a here-document": (command) => `bash <<'E'\n${command}\nE`,
  "a here-string": (command) => `bash <<< ${quoted(command)}`,
  "a pipe": (command) => `echo ${quoted(command)} | bash`,
  "a script": (command) => `cat > x.sh <<'E'\n${command}\nE\nbash x.sh`,
  "a script that is made executable": (command) =>
    `printf '%s' ${quoted(command)} > x.sh; chmod +x x.sh; ./x.sh`,
  "a script that was moved": (command) => `echo ${quoted(command)} > a; mv a b; sh b`,
  source: (command) => `echo ${quoted(command)} > a; . ./a`,
  "process substitution": (command) => `bash <(echo ${quoted(command)})`,
  base64: (command) => `echo ${base64(command)} | base64 -d | bash`,
  "base64 of a here-string": (command) => `base64 --decode <<< ${base64(command)} | sh`,
  "a variable": (command) => `X=${quoted(command)}; bash -c "$X"`,
  watch: (command) => `watch -n 1 ${quoted(command)}`,
  "script -c": (command) => `script -qc ${quoted(command)} /dev/null`,
  "su -c": (command) => `su -c ${quoted(command)}`,
  "powershell with bash": (command) => `pwsh -Command ${quoted(`bash -c "${command.replaceAll('"', "'")}"`)}`
}

export const routes: Routes = { ...prefixes, ...frames, ...shells }

const plainName = /^[a-z][\w.-]*(?= )/

/** Other spellings of a simple command: its first word is a plain name, and nothing in it is for the shell. */
export const spellings: Routes = {
  "a quoted name": (command) => command.replace(plainName, '"$&"'),
  "a name in single quotes": (command) => command.replace(plainName, "'$&'"),
  "a backslash": (command) => `\\${command}`,
  "a backslash inside": (command) => command.replace(/^[a-z]/, "$&''"),
  "wide blanks": (command) => command.replaceAll(" ", "  "),
  "a line that goes on": (command) => command.replace(" ", " \\\n  "),
  "a variable for the name": (command) =>
    `X=${command.split(" ", 1)[0]}; $X ${command.slice(command.indexOf(" ") + 1)}`,
  "a variable in braces": (command) => command.replace(plainName, (name) => `X=${name} && "${"${X}"}"`),
  "an array": (command) => `x=(${command}); "\${x[@]}"`,
  "arguments of a shell": (command) => `sh -c '"$@"' sh ${command}`,
  xargs: (command) =>
    `printf '%s\\n' ${command.slice(command.indexOf(" ") + 1)} | xargs ${command.split(" ", 1)[0]}`,
  "xargs at a place": (command) => {
    const at = command.lastIndexOf(" ")
    return `printf '%s\\n' ${command.slice(at + 1)} | xargs -I{} ${command.slice(0, at)} {}`
  },
  parallel: (command) => {
    const at = command.lastIndexOf(" ")
    return `parallel ${command.slice(0, at)} {} ::: ${command.slice(at + 1)}`
  }
}
