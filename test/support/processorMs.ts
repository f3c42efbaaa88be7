/** The processor time of a piece of work, in milliseconds, whatever else the machine does. Exact to 4 ms. */

export const processorMs = (run: () => unknown): number => {
  const before = process.threadCpuUsage()
  run()
  const { system, user } = process.threadCpuUsage(before)
  return (system + user) / 1_000
}
