/**
 * Milliseconds of processor time that this thread spends on the work. A busy machine lengthens the time on the clock,
 * but not this one, so that a bound on it fails only when the work itself costs too much.
 */
export async function measureCpu(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
