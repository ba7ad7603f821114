export { IncomingMessage, IncomingWebhookForm } from "./incoming/incoming-inputs.ts";
export {
  changeIncomingWebhook,
  createIncomingWebhook,
  deleteIncomingWebhook,
  getIncomingWebhook,
  listIncomingWebhooks,
  pauseIncomingWebhook,
  rotateIncomingWebhook,
} from "./incoming/incoming-webhooks.ts";
export type { IncomingWebhook } from "./incoming/incoming-webhooks.ts";
export { admitIncomingMessage, postIncomingMessage } from "./incoming/post-incoming-message.ts";
export { WEBHOOK_EVENT_TYPES } from "./webhook-events.ts";
export { queueWebhookDeliveries } from "./queue-deliveries.ts";
export { WebhookSender } from "./webhook-sender.ts";
export { DeliveryId, WebhookForm } from "./webhook-inputs.ts";
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
} from "./webhooks.ts";
export type { OutgoingWebhook, WebhookScope } from "./webhooks.ts";
export {
  DELIVERY_STATES,
  getDelivery,
  listDeliveries,
  purgeDeliveries,
  resendDelivery,
  sendTestDelivery,
} from "./delivery-log.ts";
export type { Delivery, DeliveryDetails, DeliveryState } from "./delivery-log.ts";
