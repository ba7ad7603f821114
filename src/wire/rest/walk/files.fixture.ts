import { createReadStream } from "node:fs";
import { expect } from "vitest";
import { type At, bare, line, type Lines, loosely } from "./walk.fixture.ts";

const files = ({ server }: At) => loosely(server.Files);
const base64 = (text: string) => Buffer.from(text).toString("base64");
/** Public URL of a path. */
const addressOf = (path: string) =>
  expect.stringMatching(new RegExp(`^http://(127\\.0\\.0\\.1|localhost):\\d+/\\w+/C{40}/files/${path}$`)) as unknown;
/** A file from disk, as a form sends it. */
const chosen = () => createReadStream("CONTRIBUTING.md");
const form = expect.stringMatching(/name="file"; filename="CONTRIBUTING.md"[^]*# Working on Kith/) as unknown;

/** Files of apps, in an order in which each call finds what it needs: section 8. */
export const FILES: Lines = {
  "files: createDirectory": line((at) => files(at)["createDirectory"]!("seeds"), ["POST", "/files/seeds/"], {
    fileURL: addressOf("seeds"),
  }),
  "files: saveFile": line(
    (at) => files(at)["saveFile"]!("seeds", "beans.txt", "runner", true),
    ["PUT", "/files/binary/seeds/beans.txt?overwrite=true", base64("runner")],
    addressOf("seeds/beans.txt"),
  ),
  "files: append, bytes": line(
    (at) => files(at)["append"]!("seeds", "beans.txt", [...Buffer.from(" and")]),
    ["PUT", "/files/append/binary/seeds/beans.txt", base64(" and")],
    addressOf("seeds/beans.txt"),
  ),
  "files: appendText": line(
    (at) => files(at)["appendText"]!("seeds", "beans.txt", " broad"),
    ["PUT", "/files/append/seeds/beans.txt", " broad"],
    addressOf("seeds/beans.txt"),
  ),
  "files: upload": line((at) => files(at)["upload"]!(chosen(), "seeds/peas.txt"), ["POST", "/files/seeds/peas.txt", form], {
    fileURL: addressOf("seeds/peas.txt"),
  }),
  "files: append, a file": line(
    (at) => files(at)["append"]!("seeds", "peas.txt", chosen()),
    ["POST", "/files/append/seeds/peas.txt", form],
    { fileURL: addressOf("seeds/peas.txt") },
  ),
  "files: the bytes": bare("GET", "/files/seeds/beans.txt", undefined, "runner and broad"),
  "files: exists": line((at) => files(at)["exists"]!("seeds/peas.txt"), ["GET", "/files/seeds/peas.txt?action=exists"], true),
  "files: getFileCount": line(
    (at) => files(at)["getFileCount"]!("seeds", "*.txt", true, true),
    ["GET", "/files/seeds?action=count&pattern=*.txt&sub=true&countDirectories=true"],
    2,
  ),
  "files: listing": line(
    (at) => files(at)["listing"]!("seeds", "b*", false, 5, 0),
    ["GET", "/files/seeds?pattern=b*&sub=false&pagesize=5&offset=0"],
    [{ name: "beans.txt", url: "seeds/beans.txt", size: 16 }],
  ),
  "files: what is at the top": bare("GET", "/files", undefined, [{ name: "seeds", url: "seeds" }]),
  "files: renameFile": line(
    (at) => files(at)["renameFile"]!("seeds/peas.txt", "pea.txt"),
    ["PUT", "/files/rename", { oldPathName: "/seeds/peas.txt", newName: "pea.txt" }],
    addressOf("seeds/pea.txt"),
  ),
  "files: copyFile": line(
    (at) => files(at)["copyFile"]!("seeds/pea.txt", "old"),
    ["PUT", "/files/copy", { sourcePath: "/seeds/pea.txt", targetPath: "/old" }],
    addressOf("old"),
  ),
  "files: moveFile": line(
    (at) => files(at)["moveFile"]!("seeds/beans.txt", "new.txt"),
    ["PUT", "/files/move", { sourcePath: "/seeds/beans.txt", targetPath: "/new.txt" }],
    addressOf("new.txt"),
  ),
  "files: deny to a role": line(
    ({ server }) => server.Files.Permissions.READ.denyForRole("NotAuthenticatedUser", "/new.txt"),
    ["PUT", "/files/permissions/DENY/%2Fnew.txt", { permission: "READ", role: "NotAuthenticatedUser" }],
    "",
  ),
  "files: remove": line((at) => files(at)["remove"]!("new.txt"), ["DELETE", "/files/new.txt"], 1),
  "files: removeDirectory": line((at) => files(at)["removeDirectory"]!("seeds"), ["DELETE", "/files/seeds"], 2),
};
