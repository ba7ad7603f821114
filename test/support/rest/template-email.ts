import Backendless from "backendless";
import { smtpServer, serverSdk } from "./email-api.ts";

type SentEmail = { messageId: string; status: string; errorMessage: string | null };
export const TEMPLATE_VALUES = { name: "Mira", bed: 7 };
/** Sends the template `name` to an envelope, by default with the server key. */
export const sendTemplateEmail = (
  envelope: object,
  given: object | undefined = TEMPLATE_VALUES,
  client = serverSdk(),
  files?: string[],
  name = "Welcome",
) => {
  const email = (
    client.Messaging as unknown as { EmailEnvelope: typeof Backendless.EmailEnvelope }
  ).EmailEnvelope.create(envelope);
  return client.Messaging.sendEmailFromTemplate(name, email, given, files) as unknown as Promise<SentEmail>;
};
/** Returns to and cc of each delivered mail, by its recipients. */
export const listVisibleRecipients = () =>
  Object.fromEntries(
    smtpServer.handed.map(({ for: whom, mail }) => [
      whom.join(),
      {
        to: (mail.to ?? []).map(({ address }) => address),
        cc: (mail.cc ?? []).map(({ address }) => address),
      },
    ]),
  );
