import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { beginUpload, finishUpload, cancelUpload, getIncomingUpload, NewUpload } from "#community/uploads";
import type { SignedIn } from "#community/rules";
import { issueMessage } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { WebContext } from "../web-context.ts";

/**
 * Data store of the tus protocol for the files of one person. Pieces are in our storage, and each file has a
 * database row.
 */
export class TusDataStore extends DataStore {
  #app: Pick<WebContext, "database" | "storage" | "scanner">;
  #me: SignedIn;
  constructor(app: Pick<WebContext, "database" | "storage" | "scanner">, me: SignedIn) {
    super();
    this.#app = app;
    this.#me = me;
    this.extensions = ["creation", "termination"];
  }

  /**
   * Creates a file of this size and returns its id. Size and name are unparsed header values of the request.
   */
  static async begin(
    app: Pick<WebContext, "database" | "settings" | "storage" | "scanner">,
    me: SignedIn,
    length: string | string[] | undefined,
    fileName: string | null | undefined,
  ): Promise<string> {
    const announced = NewUpload.safeParse({
      size: /^\d{1,15}$/.test(String(length)) ? Number(length) : undefined,
      fileName: fileName ?? "",
    });
    if (!announced.success) throw new Refusal("invalid", issueMessage(announced.error.issues[0]!));
    const { id } = await beginUpload(app, me, announced.data);
    return id;
  }

  static finish = (app: Pick<WebContext, "database" | "storage" | "scanner">, me: SignedIn, id: string) =>
    finishUpload(app, me, id);

  override async getUpload(id: string): Promise<Upload> {
    const { size, arrived, createdAt } = await getIncomingUpload(this.#app, this.#me, id);
    // The process that received the last byte ended before storing the file, so it is stored now.
    if (arrived === size) await finishUpload(this.#app, this.#me, id);
    return new Upload({ id, size, offset: arrived, creation_date: createdAt.toISOString() });
  }

  override write = (stream: Readable, id: string): Promise<number> =>
    this.#app.storage.pieces.append(id, stream);

  override remove = (id: string): Promise<void> => cancelUpload(this.#app, this.#me, id);
}
