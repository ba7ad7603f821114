import { listenToLogs } from "#baas/logging";
import { publishToAll } from "#platform/bus";
import { startTelemetry } from "#platform/telemetry";
import { createApiContext, runExtensionJobs, withAppContext } from "./src/app/app.ts";
import { shareDatabaseServer } from "./src/app/open-database.ts";
import { loadWebBuild, createEmailRenderer, createTranslator } from "./src/app/web-build.ts";
import { listenToChannels, startAutomationWorkers } from "./src/app/automation-steps.ts";
import { readSecrets } from "./src/app/secrets.ts";
import { exitWithError } from "./src/start-failure.ts";
import { startWebhookSending } from "./src/app/webhook-sending.ts";
import { startScheduledJobs } from "./src/app/scheduled-jobs.ts";

/**
 * Runs jobs (mail, housekeeping) in a separate process. The server starts it when it has several processes
 * (`KITH_PROCESSES`); with KITH_WORKER=apart it runs beside other servers on the same database.
 */
const isChild = process.send !== undefined;
if (!process.env["DATABASE_URL"] && !isChild) {
  console.error("DATABASE_URL must be set for a separate worker.");
  process.exit(78);
}

const stopped = Promise.withResolvers<void>();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopped.resolve());
if (isChild) {
  // The server restarts its processes on SIGHUP and ends them when it ends, so this process ignores the
  // signal.
  process.on("SIGHUP", () => {});
  process.once("disconnect", () => stopped.resolve());
}

await withAppContext(async (app, { environment, databaseServer, print }) => {
  const telemetry = environment.telemetry && (await startTelemetry(environment.telemetry));
  const build = await loadWebBuild();
  const secrets = readSecrets(environment);
  const api = await createApiContext(app, { environment, secrets });
  const tended = await runExtensionJobs(api, { environment, databaseServer, log: app.log });
  const deafen = listenToChannels(api);
  const stopFlows = startAutomationWorkers(api, databaseServer.connection);
  const webhooks = startWebhookSending(app);
  const worker = await startScheduledJobs(app, {
    environment,
    secrets,
    renderer: createEmailRenderer(build),
    translate: createTranslator(build),
    api,
  });
  // Clients that follow the log are connected to the server processes, so log lines are sent to these over
  // the bus.
  listenToLogs(
    app.logs,
    ({ kind, id }) => void publishToAll(app, [], { kept: { kind, id } }).catch(() => {}),
  );
  if (!isChild) print("Running jobs. Stop with Ctrl-C.");
  await stopped.promise;
  deafen();
  await stopFlows();
  await tended();
  await webhooks.stop();
  await worker.stop();
  await app.extensions.close();
  await telemetry?.stop();
}, shareDatabaseServer)
  .then(() => process.exit(0))
  .catch(exitWithError);
