import { onKept } from "#backend/logs";
import { tellAll } from "#platform/bus";
import { letGoAtRest } from "./src/at-rest.ts";
import { openWire, tendExtensions, withHouse } from "./src/app.ts";
import { builtPages, facesIn, sayingIn } from "./src/build.ts";
import { hearChannels, startFlows } from "./src/flows.ts";
import { readSecrets } from "./src/secrets.ts";
import { endWith } from "./src/start-failure.ts";
import { startTasks } from "./src/tasks.ts";

/**
 * Runs jobs (mail, housekeeping) in a process of its own, beside servers with KITH_WORKER=apart on the same
 * database. It needs DATABASE_URL: an embedded database belongs to the server that started it.
 */
if (!process.env["DATABASE_URL"]) {
  console.error("DATABASE_URL must be set for a worker of its own.");
  process.exit(78);
}

const stopped = Promise.withResolvers<void>();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopped.resolve());

await withHouse(async (house, { environment, memory, say }) => {
  const build = await builtPages();
  const secrets = readSecrets(environment);
  const wire = await openWire(house, { environment, secrets });
  const tended = await tendExtensions(wire, { environment, memory, log: house.log });
  const deafen = hearChannels(wire);
  const stopFlows = startFlows(wire, memory.connection);
  const worker = await startTasks(house, { environment, secrets, face: facesIn(build), say: sayingIn(build), wire });
  // Log tails are sockets of the servers.
  onKept(house.logs, ({ kind, id }) => void tellAll(house, [], { kept: { kind, id } }).catch(() => {}));
  letGoAtRest(house.log);
  say("Working through jobs. Stop with Ctrl-C.");
  await stopped.promise;
  deafen();
  await stopFlows();
  await tended();
  await worker.stop();
  await house.extensions.close();
}).catch(endWith);
