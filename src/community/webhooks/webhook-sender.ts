import { SECOND } from "#platform/clock";
import type { Log } from "#platform/log";
import { type ClaimedDelivery, claimDeliveries } from "./claim-deliveries.ts";
import { recordAttempt } from "./record-attempt.ts";
import { sendDelivery, type SenderContext } from "./send-delivery.ts";

/** Interval of polling: for deliveries of other processes, and for retries that are due. */
const POLL_INTERVAL = SECOND;
/** Maximum number of concurrent calls of this process. */
const MAX_CALLS = 40;
/** Maximum number of these calls to receivers whose last call failed. */
const MAX_FAILING_CALLS = 20;

/**
 * Sends pending deliveries. A class, because it holds the running calls and the timer. Each call is claimed
 * for a minute: if this process dies, another one repeats the call.
 */
export class WebhookSender {
  readonly #app: SenderContext & { log: Log };
  readonly #timer: NodeJS.Timeout;
  readonly #calls = new Set<Promise<void>>();
  #failingCalls = 0;
  #claiming: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(app: SenderContext & { log: Log }) {
    this.#app = app;
    this.#timer = setInterval(this.wake, POLL_INTERVAL);
  }

  /** Looks for due deliveries now. */
  wake = (): void => {
    this.#again = true;
    if (this.#stopped || this.#claiming) return;
    this.#claiming = this.#claim()
      .catch((error: unknown) => this.#app.log.warn({ err: error }, "webhook deliveries could not be read"))
      .finally(() => (this.#claiming = null));
  };

  /** Resolves when running calls have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#claiming;
    await Promise.all(this.#calls);
  }

  async #claim() {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#claimAndSend(false, MAX_CALLS - this.#calls.size);
      await this.#claimAndSend(
        true,
        Math.min(MAX_CALLS - this.#calls.size, MAX_FAILING_CALLS - this.#failingCalls),
      );
    }
  }

  async #claimAndSend(failing: boolean, most: number) {
    if (most <= 0 || this.#stopped) return;
    const claimed = await this.#app.database.inTransaction((tx) => claimDeliveries(tx, { failing, most }));
    for (const delivery of claimed) {
      const call = this.#send(delivery).finally(() => {
        this.#calls.delete(call);
        if (failing) this.#failingCalls -= 1;
        this.wake();
      });
      this.#calls.add(call);
      if (failing) this.#failingCalls += 1;
    }
  }

  async #send(delivery: ClaimedDelivery) {
    try {
      const result = await sendDelivery(this.#app, delivery);
      await this.#app.database.inTransaction((tx) => recordAttempt(tx, delivery, result));
    } catch (error) {
      // The claim ends after a minute; the delivery is then sent again.
      this.#app.log.warn({ err: error, deliveryId: delivery.id }, "a webhook delivery could not be recorded");
    }
  }
}
