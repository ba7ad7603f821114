/**
 * Returns the CPU time in milliseconds that this thread spends on `work`. Other load does not affect it, so
 * a limit on it is exceeded only when `work` itself is too slow.
 */
export async function measureCpu(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
