/** The path of a member below `path`: `$.items`, `$["a b"]`. */
export const memberPath = (path: string, name: string): string =>
  /^[\w-]+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
