/** The lockfile with an entry for every optional package of another platform. */

/** The lock files of the project, and of the genuine programs that `npm run test:clients` installs. */
export const lockfiles = ["package-lock.json", "test/clients/package-lock.json"]

interface Entry {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, Entry>>
}

const systems: Readonly<Record<string, string>> = { windows: "win32" }
const knownSystems = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
  "windows"
]
const knownProcessors = [
  "arm",
  "arm64",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64"
]

/** Such packages say in their names which platform they are for. */
const platformOf = (name: string): Pick<Entry, "cpu" | "os"> => {
  const words = name.split(/[-/@]/)
  const os = knownSystems
    .filter((system) => words.includes(system))
    .map((system) => systems[system] ?? system)
  const cpu = knownProcessors.filter((processor) => words.includes(processor))
  return { ...(cpu.length > 0 ? { cpu } : {}), ...(os.length > 0 && !cpu.includes("wasm32") ? { os } : {}) }
}

/** Optional packages that a package names but no entry locks: `npm ci` refuses a lockfile without them. */
export const missingOptionals = ({ packages }: Lockfile): ReadonlyMap<string, Entry> => {
  const locked = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/"))))
  const missing = new Map<string, Entry>()
  for (const { dev, optionalDependencies = {} } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`
      if (locked.has(path)) continue
      missing.set(path, { version, ...platformOf(name), ...(dev === true ? { dev } : {}), optional: true })
    }
  }
  return missing
}

export const completed = <A extends Lockfile>(lockfile: A): A => ({
  ...lockfile,
  packages: Object.fromEntries(
    Object.entries({ ...lockfile.packages, ...Object.fromEntries(missingOptionals(lockfile)) }).toSorted(
      ([a], [b]) => (a < b ? -1 : 1)
    )
  )
})
