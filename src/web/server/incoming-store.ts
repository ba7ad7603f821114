import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { beginFile, finishFile, giveUpFile, incomingFor, NewIncoming } from "#community/uploads";
import type { SignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { House } from "../house.ts";

/** What the protocol keeps its files in: pieces in our storage, and a row for each; as one person, who sees their own alone. */
export class IncomingStore extends DataStore {
  #house: House;
  #me: SignedIn;
  constructor(house: House, me: SignedIn) {
    super();
    this.#house = house;
    this.#me = me;
    this.extensions = ["creation", "termination"];
  }

  /** Makes room for a file of so many bytes; its id. What is announced comes as it is written in the request. */
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
    // It has all come, and whoever took it died before it was kept: whoever asks after it has it kept now.
    if (arrived === size) await finishFile(this.#house, this.#me, id);
    return new Upload({ id, size, offset: arrived, creation_date: createdAt.toISOString() });
  }

  override write = (stream: Readable, id: string): Promise<number> => this.#house.storage.pieces.append(id, stream);

  override remove = (id: string): Promise<void> => giveUpFile(this.#house, this.#me, id);
}
