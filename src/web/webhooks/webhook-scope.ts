import type { WebhookScope } from "#community/webhooks";
import { urls } from "../urls.ts";

/** The group or site that has the webhooks, as their pages need it; null for the site. */
export type WebhookPlace = { group: { id: string; slug: string; name: string } | null };

export const toScope = ({ group }: WebhookPlace): WebhookScope => ({ groupId: group?.id ?? null });

export const webhooksUrl = ({ group }: WebhookPlace): string =>
  group ? urls.manageGroup(group.slug, "webhooks") : urls.webhooks();

type DeliveryQuery = { delivery?: string; state?: string; event?: string; after?: string; saved?: string };

export const webhookUrl = ({ group }: WebhookPlace, id: string, at: DeliveryQuery = {}): string =>
  group ? urls.groupWebhook(group.slug, id, at) : urls.webhook(id, at);
