import { expect } from "vitest";
import {
  anyOfType,
  type StepContext,
  createStep,
  type ContractStep,
  type ContractSteps,
  untyped,
  NOW,
} from "./contract-run.ts";

const commerce = ({ app }: StepContext) => untyped(app.Commerce);
const PURCHASE_PATH = "/commerce/googleplay";

/** Services, events, purchases and logging: sections 12 to 15. */
export const ACTION_STEPS: ContractSteps = {
  "custom services: invoke": createStep(
    ({ app }) => app.CustomServices.invoke("Greetings", "echo", { words: "Lovely beans." }),
    ["POST", "/services/Greetings/echo", { words: "Lovely beans." }],
    { words: "Lovely beans." },
  ),
  "events: dispatch": createStep(
    ({ app }) => app.Events.dispatch("tea", { cups: 3 }),
    ["POST", "/servercode/events/tea", { cups: 3 }],
    {
      cups: 6,
    },
  ),
  "commerce: validatePlayPurchase": createStep(
    (at) => commerce(at)["validatePlayPurchase"]!("org.example.app", "gold", "bought"),
    ["GET", `${PURCHASE_PATH}/validate/org.example.app/inapp/gold/purchases/bought`],
    { purchaseState: 0, orderId: "GPA.1" },
  ),
  "commerce: getPlaySubscriptionStatus": createStep(
    (at) => commerce(at)["getPlaySubscriptionStatus"]!("org.example.app", "monthly", "held"),
    ["GET", `${PURCHASE_PATH}/org.example.app/subscription/monthly/purchases/held`],
    { autoRenewing: true },
  ),
  "commerce: cancelPlaySubscription": createStep(
    ({ server }) => untyped(server.Commerce)["cancelPlaySubscription"]!("org.example.app", "monthly", "held"),
    ["POST", `${PURCHASE_PATH}/org.example.app/subscription/monthly/purchases/held/cancel`],
    null,
  ),
  "logging: flush": createStep(
    ({ app }) => {
      app.Logging.getLogger("garden").warn("The pressure falls", "at pump.js:12");
      return untyped(app.Logging)["flush"]!();
    },
    [
      "PUT",
      "/log",
      [{ logger: "garden", "log-level": "WARN", message: "The pressure falls", exception: "at pump.js:12" }],
    ],
    {},
  ),
};

const scheduledAnswer: ContractStep["gives"] = () => ({
  messageId: anyOfType(String),
  status: "scheduled",
  errorMessage: null,
});
const TOMORROW = NOW.getTime() + 86_400_000;
const answerWithStatus = (status: string) => () => ({
  messageId: anyOfType(String),
  status,
  errorMessage: null,
});

/** Channels: section 9. */
export const MESSAGING_STEPS: ContractSteps = {
  "messaging: publish": {
    call: ({ app }) =>
      app.Messaging.publish("garden", "Frost tonight", { headers: { degrees: "-3" } } as never),
    sends: () => ["POST", "/messaging/garden", { message: "Frost tonight", headers: { degrees: "-3" } }],
    gives: scheduledAnswer,
  },
  "messaging: publish, for later": {
    call: ({ app }) =>
      app.Messaging.publish(
        "garden",
        "Water",
        {} as never,
        { publishAt: TOMORROW, repeatEvery: 86_400 } as never,
      ),
    sends: () => [
      "POST",
      "/messaging/garden",
      { message: "Water", publishAt: TOMORROW, repeatEvery: 86_400 },
    ],
    gives: scheduledAnswer,
  },
  "messaging: getMessageStatus": {
    call: ({ app, last }) => app.Messaging.getMessageStatus(last("messageId")),
    sends: ({ last }) => ["GET", `/messaging/${last("messageId")}`],
    gives: answerWithStatus("scheduled"),
  },
  "messaging: cancel": {
    call: ({ app, last }) => app.Messaging.cancel(last("messageId")),
    sends: ({ last }) => ["DELETE", `/messaging/${last("messageId")}`],
    gives: answerWithStatus("cancelled"),
  },
  "messaging: deleteChannel": createStep(
    ({ server }) => untyped(server.Messaging)["deleteChannel"]!("garden"),
    ["DELETE", "/messaging/channels/garden"],
    expect.anything(),
  ),
};
