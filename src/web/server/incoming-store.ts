import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { beginFile, finishFile, giveUpFile, incomingFor, NewIncoming } from "#community/uploads";
import type { SignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { House } from "../house.ts";

/**
 * Data store of the tus protocol: pieces in our storage, and a database row for each file, limited to those
 * of one person.
 */
export class IncomingStore extends DataStore {
  #house: House;
  #me: SignedIn;
  constructor(house: House, me: SignedIn) {
    super();
    this.#house = house;
    this.#me = me;
    this.extensions = ["creation", "termination"];
  }

  /** Creates a file of this size and returns its id. Size and name come unparsed from the request. */
  static async begin(
    house: House,
    me: SignedIn,
    length: string | string[] | undefined,
    fileName: string | null | undefined,
  ): Promise<string> {
    const announced = NewIncoming.safeParse({
      size: /^\d{1,15}$/.test(String(length)) ? Number(length) : undefined,
      fileName: fileName ?? "",
    });
    if (!announced.success) throw new Refusal("invalid", announced.error.issues[0]!.message);
    const { id } = await beginFile(house, me, announced.data);
    return id;
  }

  static finish = (house: House, me: SignedIn, id: string) => finishFile(house, me, id);

  override async getUpload(id: string): Promise<Upload> {
    const { size, arrived, createdAt } = await incomingFor(this.#house, this.#me, id);
    // All bytes have arrived, but the process that received them died before storing the file: it is stored
    // now.
    if (arrived === size) await finishFile(this.#house, this.#me, id);
    return new Upload({ id, size, offset: arrived, creation_date: createdAt.toISOString() });
  }

  override write = (stream: Readable, id: string): Promise<number> => this.#house.storage.pieces.append(id, stream);

  override remove = (id: string): Promise<void> => giveUpFile(this.#house, this.#me, id);
}
