import { listenToLogs } from "#baas/logging";
import { publishToAll } from "#platform/bus";
import { openApiContext, runExtensionJobs, withAppContext } from "./src/app/app.ts";
import { loadWebBuild, createEmailRenderer, createTranslator } from "./src/app/web-build.ts";
import { listenToChannels, startAutomationWorkers } from "./src/app/automation-steps.ts";
import { readSecrets } from "./src/app/secrets.ts";
import { endWith } from "./src/start-failure.ts";
import { startScheduledJobs } from "./src/app/scheduled-jobs.ts";

/**
 * Runs jobs (mail, housekeeping) in a process of its own, beside servers with KITH_WORKER=apart on the same
 * database. It needs DATABASE_URL: an embedded database belongs to the server that started it.
 */
if (!process.env["DATABASE_URL"]) {
  console.error("DATABASE_URL must be set for a separate worker.");
  process.exit(78);
}

const stopped = Promise.withResolvers<void>();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopped.resolve());

await withAppContext(async (app, { environment, memory, say }) => {
  const build = await loadWebBuild();
  const secrets = readSecrets(environment);
  const api = await openApiContext(app, { environment, secrets });
  const tended = await runExtensionJobs(api, { environment, memory, log: app.log });
  const deafen = listenToChannels(api);
  const stopFlows = startAutomationWorkers(api, memory.connection);
  const worker = await startScheduledJobs(app, {
    environment,
    secrets,
    face: createEmailRenderer(build),
    say: createTranslator(build),
    api,
  });
  // Log tails are sockets of the servers.
  listenToLogs(
    app.logs,
    ({ kind, id }) => void publishToAll(app, [], { kept: { kind, id } }).catch(() => {}),
  );
  say("Running jobs. Stop with Ctrl-C.");
  await stopped.promise;
  deafen();
  await stopFlows();
  await tended();
  await worker.stop();
  await app.extensions.close();
}).catch(endWith);
