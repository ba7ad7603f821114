import { expect } from "vitest";
import { aKindOf, type At, line, type Line, type Lines, loosely, NOW } from "./walk.fixture.ts";

const commerce = ({ app }: At) => loosely(app.Commerce);
const place = "/commerce/googleplay";

/** Services, events, purchases and logging: sections 12 to 15. */
export const DOING: Lines = {
  "custom services: invoke": line(
    ({ app }) => app.CustomServices.invoke("Greetings", "echo", { words: "Lovely beans." }),
    ["POST", "/services/Greetings/echo", { words: "Lovely beans." }],
    { words: "Lovely beans." },
  ),
  "events: dispatch": line(({ app }) => app.Events.dispatch("tea", { cups: 3 }), ["POST", "/servercode/events/tea", { cups: 3 }], {
    cups: 6,
  }),
  "commerce: validatePlayPurchase": line(
    (at) => commerce(at)["validatePlayPurchase"]!("org.example.app", "gold", "bought"),
    ["GET", `${place}/validate/org.example.app/inapp/gold/purchases/bought`],
    { purchaseState: 0, orderId: "GPA.1" },
  ),
  "commerce: getPlaySubscriptionStatus": line(
    (at) => commerce(at)["getPlaySubscriptionStatus"]!("org.example.app", "monthly", "held"),
    ["GET", `${place}/org.example.app/subscription/monthly/purchases/held`],
    { autoRenewing: true },
  ),
  "commerce: cancelPlaySubscription": line(
    ({ server }) => loosely(server.Commerce)["cancelPlaySubscription"]!("org.example.app", "monthly", "held"),
    ["POST", `${place}/org.example.app/subscription/monthly/purchases/held/cancel`],
    null,
  ),
  "logging: flush": line(
    ({ app }) => {
      app.Logging.getLogger("garden").warn("The pressure falls", "at pump.js:12");
      return loosely(app.Logging)["flush"]!();
    },
    ["PUT", "/log", [{ logger: "garden", "log-level": "WARN", message: "The pressure falls", exception: "at pump.js:12" }]],
    {},
  ),
};

const published: Line["gives"] = () => ({ messageId: aKindOf(String), status: "scheduled", errorMessage: null });
const MORROW = NOW.getTime() + 86_400_000;
const become = (status: string) => () => ({ messageId: aKindOf(String), status, errorMessage: null });

/** Channels: section 9. */
export const MESSAGING: Lines = {
  "messaging: publish": {
    call: ({ app }) => app.Messaging.publish("garden", "Frost tonight", { headers: { degrees: "-3" } } as never),
    sends: () => ["POST", "/messaging/garden", { message: "Frost tonight", headers: { degrees: "-3" } }],
    gives: published,
  },
  "messaging: publish, for later": {
    call: ({ app }) => app.Messaging.publish("garden", "Water", {} as never, { publishAt: MORROW, repeatEvery: 86_400 } as never),
    sends: () => ["POST", "/messaging/garden", { message: "Water", publishAt: MORROW, repeatEvery: 86_400 }],
    gives: published,
  },
  "messaging: getMessageStatus": {
    call: ({ app, last }) => app.Messaging.getMessageStatus(last("messageId")),
    sends: ({ last }) => ["GET", `/messaging/${last("messageId")}`],
    gives: become("scheduled"),
  },
  "messaging: cancel": {
    call: ({ app, last }) => app.Messaging.cancel(last("messageId")),
    sends: ({ last }) => ["DELETE", `/messaging/${last("messageId")}`],
    gives: become("cancelled"),
  },
  "messaging: deleteChannel": line(
    ({ server }) => loosely(server.Messaging)["deleteChannel"]!("garden"),
    ["DELETE", "/messaging/channels/garden"],
    expect.anything(),
  ),
};
