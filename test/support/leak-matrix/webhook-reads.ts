import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { getReportSummary } from "#community/moderation";
import { getBot, listBots } from "#community/bots";
import {
  getDelivery,
  getIncomingWebhook,
  getWebhook,
  listDeliveries,
  listIncomingWebhooks,
  listWebhooks,
} from "#community/webhooks";
import { type Db, maybeOne, sql } from "#platform/database";
import { readWebhookRecord } from "../../../src/community/webhooks/webhook-payload.ts";
import type { WebhookChange } from "../../../src/community/webhooks/webhook-events.ts";
import type { LeakCommunity } from "./community.ts";
import type { Reads } from "./leak-context.ts";

/** The payload of a webhook that the viewer owns. */
const payload =
  (
    event: WebhookChange["event"],
    table: WebhookChange["table"],
    kind: WebhookChange["kind"],
    idsOf: (at: LeakCommunity) => WebhookChange["ids"],
  ) =>
  async (db: Db, viewer: Viewer, at: LeakCommunity) =>
    readWebhookRecord(db, requireSignedIn(viewer), { event, table, kind, ids: idsOf(at) });

const ofPost = ({ replyId, discussionId, groupId }: LeakCommunity) => ({
  objectId: replyId,
  discussionId,
  groupId,
});
const ofDiscussion = ({ discussionId, groupId }: LeakCommunity) => ({ objectId: discussionId, groupId });

/** Reads of webhooks: what they send, and their pages. */
export const webhookReads: Reads = {
  "webhook about a post": payload("post.created", "Posts", "created", ofPost),
  "webhook about a deleted post": payload("post.deleted", "Posts", "deleted", ofPost),
  "webhook about a discussion": payload("discussion.created", "Discussions", "created", ofDiscussion),
  "webhook about a deleted discussion": payload("discussion.deleted", "Discussions", "deleted", ofDiscussion),
  "webhook about a resource": payload(
    "resource.created",
    "Resources",
    "created",
    ({ resourceId, groupId }) => ({
      objectId: resourceId,
      groupId,
    }),
  ),
  "webhook about an event": payload("event.created", "Events", "created", ({ eventId, groupId }) => ({
    objectId: eventId,
    groupId,
  })),
  "webhook about a member": payload("member.joined", "Memberships", "created", ({ authorId, groupId }) => ({
    objectId: `${groupId}:${authorId}`,
    groupId,
    personId: authorId,
  })),
  "webhook about a person": payload("person.joined", "Users", "created", ({ authorId }) => ({
    objectId: authorId,
  })),
  "report of a webhook": async (db, viewer, at) => {
    const report = await maybeOne(
      db,
      sql<{ id: string }>`select id from reports where post_id is not null and not by_guest limit 1`,
    );
    return getReportSummary(db, viewer, report?.id ?? at.replyId);
  },
  "webhooks of the group": (db, viewer, at) => listWebhooks(db, viewer, { groupId: at.groupId }),
  "a webhook of the group": (db, viewer, at) => getWebhook(db, viewer, { groupId: at.groupId }, at.webhookId),
  "bots of the group": (db, viewer, at) => listBots(db, viewer, { groupId: at.groupId }),
  "a bot of the group": (db, viewer, at) => getBot(db, viewer, { groupId: at.groupId, botId: at.botId }),
  "incoming webhooks of the group": (db, viewer, at) =>
    listIncomingWebhooks(db, viewer, { groupId: at.groupId }),
  "an incoming webhook of the group": (db, viewer, at) =>
    getIncomingWebhook(db, viewer, { groupId: at.groupId, webhookId: at.incomingWebhookId }),
  "deliveries of a webhook": (db, viewer, at) =>
    listDeliveries(db, viewer, { groupId: at.groupId }, { webhookId: at.webhookId }),
  "a delivery of a webhook": (db, viewer, at) =>
    getDelivery(db, viewer, { groupId: at.groupId }, { webhookId: at.webhookId, deliveryId: at.webhookId }),
};
