import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail that the server received: envelope and parsed message. */
export type ReceivedEmail = { from: string; for: string[]; raw: string; head: string; mail: Email };

/**
 * Starts an SMTP server that stores accepted mail. It rejects recipients for whom `refuse` returns a code.
 */
export async function startSmtpServer(refuse: (address: string) => number | null = () => null, port = 0) {
  const handed: ReceivedEmail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      const responseCode = refuse(address);
      done(
        responseCode === null
          ? null
          : Object.assign(new Error(`${address} is not welcome`), { responseCode }),
      );
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks);
        const text = raw.toString("latin1");
        const head = text.slice(0, text.indexOf("\r\n\r\n")).replace(/\r\n\s+/g, " ");
        const { mailFrom } = session.envelope;
        handed.push({
          from: mailFrom ? mailFrom.address : "",
          for: session.envelope.rcptTo.map(({ address }) => address),
          raw: text,
          head,
          mail: await PostalMime.parse(raw),
        });
        done();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  const at = (server.server.address() as AddressInfo).port;
  return {
    handed,
    port: at,
    url: `smtp://127.0.0.1:${at}`,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}
