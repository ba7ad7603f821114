import { access, constants } from "node:fs/promises";
import { existsSync, readdirSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import type { Environment } from "#platform/environment";
import { type Finding, noteFinding, okFinding, errorReason, wrongFinding } from "./finding.ts";

/** Whether the port is free; `inUse` says whether a Kith runs that may have it. */
export async function examinePort({ port, host }: Environment, inUse: boolean): Promise<Finding> {
  const code = await tryListening(port, host);
  if (code === null) return okFinding("Port", `${host}:${port} is free.`);
  if (code === "EADDRINUSE" && inUse)
    return noteFinding("Port", `${host}:${port} is taken, presumably by the Kith that runs.`);
  if (code === "EADDRINUSE")
    return wrongFinding(
      "Port",
      `${host}:${port} is taken by another program.`,
      "Stop that, or set PORT to another number.",
    );
  if (code === "EACCES")
    return wrongFinding(
      "Port",
      `This user may not listen on ${port}.`,
      "Set PORT to 1024 or more, and let a proxy listen on the other.",
    );
  return wrongFinding(
    "Port",
    `${host}:${port} cannot be listened on (${code}).`,
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

/** By file times, as a hint: the launcher compares contents. */
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
      "None is sent: SMTP_URL is not set.",
      "Set it, so that people can confirm addresses and reset passwords.",
    );
  if (!smtpUrl) return okFinding("Mail", "It goes to the development mailbox at /dev/mail.");
  const { hostname, port, protocol } = new URL(smtpUrl);
  const reason = await tryConnecting(hostname, Number(port) || (protocol === "smtps:" ? 465 : 587));
  return reason
    ? wrongFinding(
        "Mail",
        `The server that SMTP_URL names cannot be reached (${reason}).`,
        "Are host and port right? Is the way there open?",
      )
    : okFinding("Mail", "The server that SMTP_URL names can be reached.");
}

/** Whether replies by mail can arrive, if that is configured, and whether outgoing mail is trustworthy. */
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
        "It comes from an address at localhost.",
        "Set MAIL_FROM to an address of the server that sends it.",
      ),
    );
  if (mailInFolder === null) return findings;
  const reason = await access(mailInFolder, constants.R_OK | constants.W_OK).then(() => null, errorReason);
  findings.push(
    reason === null
      ? okFinding("Mail in", "The folder that MAIL_IN_FOLDER names can be emptied.")
      : wrongFinding(
          "Mail in",
          `The folder that MAIL_IN_FOLDER names cannot be emptied (${reason}).`,
          "Is it there, and may this user write in it?",
        ),
  );
  return findings;
}

/** Null when something answers there within three seconds. */
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
