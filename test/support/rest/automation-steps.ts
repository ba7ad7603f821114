import { AutomationWorker, type AutomationFunctions, triggerAutomations } from "#baas/automations";
import { many, one, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { createStepActions } from "../../../src/api/rest/automations/step-actions.ts";
import type { RestContext } from "../../../src/api/rest/rest-route.ts";

/** Returns a function that runs due automation steps until none is left. */
export const createStepRunner =
  (app: RestContext, mail: AutomationFunctions["mail"] = null) =>
  async (): Promise<void> => {
    const { db, runtime } = app.database;
    const work = new AutomationWorker(app.flows, app.database, createStepActions(app, mail));
    const due = async () =>
      (
        await one(
          db,
          sql<{ n: number }>`select count(*)::int as n from automation_runs where due_at <= ${runtime.now()}`,
        )
      ).n;
    while ((await due()) > 0) await new Promise((soon) => setTimeout(soon, 10));
    await work.stop();
  };

/** Returns a function that delivers pending events to automations, as the dispatcher would. */
export const createEventDeliverer =
  ({ database, flows }: RestContext) =>
  async (): Promise<void> => {
    const events = await many(
      database.db,
      sql<{
        id: string;
        payload: DomainEvent;
      }>`update outbox set handled_at = now() where handled_at is null returning id, payload`,
    );
    for (const { id, payload } of events.toSorted((a, b) => Number(a.id) - Number(b.id)))
      await triggerAutomations(flows, payload, id);
  };
