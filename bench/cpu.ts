/** A process under measurement tells its processor time, in microseconds, whenever it is asked; and its memory. `known` is told at once: it listens. */
export function answerCpu(stop: () => Promise<void> = async () => {}, known: object = {}) {
  process.on("message", (asked) => {
    const { user, system } = process.cpuUsage();
    if (asked === "cpu") process.send?.({ cpu: user + system, rss: process.memoryUsage().rss });
  });
  process.send?.(known);
  process.on("disconnect", () => void stop().finally(() => process.exit(0)));
}
