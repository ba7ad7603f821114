import { access, constants } from "node:fs/promises";
import { existsSync, readdirSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import type { Environment } from "#platform/environment";
import { type Finding, noteFinding, okFinding, errorReason, problemFinding } from "./finding.ts";

/** Checks that the port is free; `inUse` is true when a Kith process runs that may be using the port. */
export async function examinePort({ port, host }: Environment, inUse: boolean): Promise<Finding> {
  const code = await tryListening(port, host);
  if (code === null) return okFinding("Port", `${host}:${port} is free.`);
  if (code === "EADDRINUSE" && inUse)
    return noteFinding("Port", `${host}:${port} is in use, presumably by the running Kith.`);
  if (code === "EADDRINUSE")
    return problemFinding(
      "Port",
      `${host}:${port} is in use by another program.`,
      "Stop that program, or set PORT to another number.",
    );
  if (code === "EACCES")
    return problemFinding(
      "Port",
      `This user may not listen on ${port}.`,
      "Set PORT to 1024 or more, and put a proxy in front.",
    );
  return problemFinding(
    "Port",
    `Kith cannot listen on ${host}:${port} (${code}).`,
    "Is HOST an address of this machine?",
  );
}

function tryListening(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}

/**
 * Checks whether the built pages are current. It compares only file times, so the result is a hint; the
 * launcher compares contents.
 */
export function examineBuild(): Finding {
  const stamp = join("build", ".stamp");
  if (!existsSync(stamp)) return noteFinding("Pages", "They are not built yet.", "npm start builds them.");
  const built = statSync(stamp).mtimeMs;
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (name) => !/\.test\.tsx?$/.test(name),
  );
  const newer = sources.find((name) => statSync(join("src", name)).mtimeMs > built);
  return newer
    ? noteFinding("Pages", `They may be older than src/${newer}.`, "npm start builds them again if they are.")
    : okFinding("Pages", "They are built.");
}

export async function examineMail({ smtpUrl, production }: Environment): Promise<Finding> {
  if (!smtpUrl && production)
    return noteFinding(
      "Mail",
      "No mail is sent: SMTP_URL is not set.",
      "Set it, so that people can confirm addresses and reset passwords.",
    );
  if (!smtpUrl) return okFinding("Mail", "Mail goes to the development mailbox at /dev/mail.");
  const { hostname, port, protocol } = new URL(smtpUrl);
  const reason = await tryConnecting(hostname, Number(port) || (protocol === "smtps:" ? 465 : 587));
  return reason
    ? problemFinding(
        "Mail",
        `The server in SMTP_URL cannot be reached (${reason}).`,
        "Are host and port correct? Does a firewall block them?",
      )
    : okFinding("Mail", "The server in SMTP_URL can be reached.");
}

/**
 * Checks whether replies by mail can arrive, if that is configured, and whether other servers can trust our
 * outgoing mail.
 */
export async function examineInboundMail({
  smtpUrl,
  mailFrom,
  mailInFolder,
}: Environment): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (smtpUrl && /@localhost>?$/.test(mailFrom))
    findings.push(
      noteFinding(
        "Mail",
        "The sender is an address at localhost.",
        "Set MAIL_FROM to an address of the sending server.",
      ),
    );
  if (mailInFolder === null) return findings;
  const reason = await access(mailInFolder, constants.R_OK | constants.W_OK).then(() => null, errorReason);
  findings.push(
    reason === null
      ? okFinding("Mail in", "The folder in MAIL_IN_FOLDER is readable and writable.")
      : problemFinding(
          "Mail in",
          `Files in the folder of MAIL_IN_FOLDER cannot be read and removed (${reason}).`,
          "Does it exist, and may this user write to it?",
        ),
  );
  return findings;
}

/** Returns null when the port accepts a connection within three seconds. */
function tryConnecting(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const done = (reason: string | null) => {
      socket.destroy();
      resolve(reason);
    };
    const socket = connect({ host, port, timeout: 3_000 }, () => done(null));
    socket.once("timeout", () => done("no answer")).once("error", (error) => done(errorReason(error)));
  });
}
