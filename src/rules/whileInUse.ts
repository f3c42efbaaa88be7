/** Shares files and lexicons between the rulebooks that use them. */

/** Objects by key, held weakly: an object is dropped when nothing else refers to it. */
export const whileInUse = <A extends object>() => {
  const held = new Map<string, WeakRef<A>>()
  const forgotten = new FinalizationRegistry<string>((key) => {
    if (held.get(key)?.deref() === undefined) held.delete(key)
  })
  return {
    get: (key: string): A | undefined => held.get(key)?.deref(),
    keep: (key: string, value: A): A => {
      held.set(key, new WeakRef(value))
      forgotten.register(value, key)
      return value
    }
  }
}
