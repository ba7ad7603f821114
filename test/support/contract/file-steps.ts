import { createReadStream } from "node:fs";
import { expect } from "vitest";
import { type StepContext, createBareStep, createStep, type ContractSteps, untyped } from "./contract-run.ts";

const files = ({ server }: StepContext) => untyped(server.Files);
const base64 = (text: string) => Buffer.from(text).toString("base64");
/** Matches the public URL of a path. */
const fileUrlMatching = (path: string) =>
  expect.stringMatching(
    new RegExp(`^http://(127\\.0\\.0\\.1|localhost):\\d+/\\w+/C{40}/files/${path}$`),
  ) as unknown;
/** Opens a file from disk, as a form sends it. */
const openUpload = () => createReadStream("CONTRIBUTING.md");
const expectedForm = expect.stringMatching(
  /name="file"; filename="CONTRIBUTING.md"[^]*# Working on Kith/,
) as unknown;

/** Files of apps (section 8), ordered so that each call finds the files it needs. */
export const FILE_STEPS: ContractSteps = {
  "files: createDirectory": createStep(
    (at) => files(at)["createDirectory"]!("seeds"),
    ["POST", "/files/seeds/"],
    {
      fileURL: fileUrlMatching("seeds"),
    },
  ),
  "files: saveFile": createStep(
    (at) => files(at)["saveFile"]!("seeds", "beans.txt", "runner", true),
    ["PUT", "/files/binary/seeds/beans.txt?overwrite=true", base64("runner")],
    fileUrlMatching("seeds/beans.txt"),
  ),
  "files: append, bytes": createStep(
    (at) => files(at)["append"]!("seeds", "beans.txt", [...Buffer.from(" and")]),
    ["PUT", "/files/append/binary/seeds/beans.txt", base64(" and")],
    fileUrlMatching("seeds/beans.txt"),
  ),
  "files: appendText": createStep(
    (at) => files(at)["appendText"]!("seeds", "beans.txt", " broad"),
    ["PUT", "/files/append/seeds/beans.txt", " broad"],
    fileUrlMatching("seeds/beans.txt"),
  ),
  "files: upload": createStep(
    (at) => files(at)["upload"]!(openUpload(), "seeds/peas.txt"),
    ["POST", "/files/seeds/peas.txt", expectedForm],
    {
      fileURL: fileUrlMatching("seeds/peas.txt"),
    },
  ),
  "files: append, a file": createStep(
    (at) => files(at)["append"]!("seeds", "peas.txt", openUpload()),
    ["POST", "/files/append/seeds/peas.txt", expectedForm],
    { fileURL: fileUrlMatching("seeds/peas.txt") },
  ),
  "files: the bytes": createBareStep("GET", "/files/seeds/beans.txt", undefined, "runner and broad"),
  "files: exists": createStep(
    (at) => files(at)["exists"]!("seeds/peas.txt"),
    ["GET", "/files/seeds/peas.txt?action=exists"],
    true,
  ),
  "files: getFileCount": createStep(
    (at) => files(at)["getFileCount"]!("seeds", "*.txt", true, true),
    ["GET", "/files/seeds?action=count&pattern=*.txt&sub=true&countDirectories=true"],
    2,
  ),
  "files: listing": createStep(
    (at) => files(at)["listing"]!("seeds", "b*", false, 5, 0),
    ["GET", "/files/seeds?pattern=b*&sub=false&pagesize=5&offset=0"],
    [{ name: "beans.txt", url: "seeds/beans.txt", size: 16 }],
  ),
  "files: what is at the top": createBareStep("GET", "/files", undefined, [{ name: "seeds", url: "seeds" }]),
  "files: renameFile": createStep(
    (at) => files(at)["renameFile"]!("seeds/peas.txt", "pea.txt"),
    ["PUT", "/files/rename", { oldPathName: "/seeds/peas.txt", newName: "pea.txt" }],
    fileUrlMatching("seeds/pea.txt"),
  ),
  "files: copyFile": createStep(
    (at) => files(at)["copyFile"]!("seeds/pea.txt", "old"),
    ["PUT", "/files/copy", { sourcePath: "/seeds/pea.txt", targetPath: "/old" }],
    fileUrlMatching("old"),
  ),
  "files: moveFile": createStep(
    (at) => files(at)["moveFile"]!("seeds/beans.txt", "new.txt"),
    ["PUT", "/files/move", { sourcePath: "/seeds/beans.txt", targetPath: "/new.txt" }],
    fileUrlMatching("new.txt"),
  ),
  "files: deny to a role": createStep(
    ({ server }) => server.Files.Permissions.READ.denyForRole("NotAuthenticatedUser", "/new.txt"),
    ["PUT", "/files/permissions/DENY/%2Fnew.txt", { permission: "READ", role: "NotAuthenticatedUser" }],
    "",
  ),
  "files: remove": createStep((at) => files(at)["remove"]!("new.txt"), ["DELETE", "/files/new.txt"], 1),
  "files: removeDirectory": createStep(
    (at) => files(at)["removeDirectory"]!("seeds"),
    ["DELETE", "/files/seeds"],
    2,
  ),
};
