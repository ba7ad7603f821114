/**
 * CPU time in milliseconds that this thread spends on the work. Other load does not affect it, so a limit on
 * it fails only when the work itself costs too much.
 */
export async function measureCpu(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
