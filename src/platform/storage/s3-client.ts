import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { AwsClient } from "aws4fetch";
import { Refusal } from "#platform/refusal";
import { toNodeStream } from "#platform/streams";

/** Address and credentials of a bucket. `region` may be in the address (`?region=eu-1`). */
export type Bucket = { url: string; key: string; secret: string };

/** An error response of a bucket: the status says whether it is unavailable or rejects the request. */
export class BucketError extends Error {
  override name = "BucketAnswer";
  readonly status: number;
  constructor(status: number, method: Method) {
    super(`The storage responded with ${status} to ${method}.`);
    this.status = status;
  }
}

type S3RequestOptions = {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
  timeout?: number;
};
type Method = "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
export type ListedObject = { key: string; size: number; changedAt: Date };

/** Milliseconds until a response begins; requests with parts of a file have longer. */
const RESPONSE_TIMEOUT = 30_000;
const PART_TIMEOUT = 300_000;
const MAX_ATTEMPTS = 3;

/**
 * The S3 calls that we use.
 * @throws `unavailable` without a usable response
 */
export class S3Client {
  readonly #client: AwsClient;
  readonly #base: string;
  readonly #bucket: string;

  constructor({ url, key, secret }: Bucket) {
    const address = new URL(url);
    const region = address.searchParams.get("region");
    this.#client = new AwsClient({
      accessKeyId: key,
      secretAccessKey: secret,
      service: "s3",
      retries: 3,
      ...(region && { region }),
    });
    this.#bucket = address.pathname.replace(/^\/+|\/+$/g, "");
    this.#base = `${address.origin}${this.#bucket === "" ? "" : `/${this.#bucket}`}`;
  }

  /** Returns the object or a range of it; null when it is missing. */
  async get(key: string, range?: { from: number; to: number }): Promise<Readable | null> {
    const answer = await this.#ask(
      "GET",
      key,
      range ? { headers: { range: `bytes=${range.from}-${range.to}` } } : {},
    );
    if (!answer) return null;
    return answer.body ? toNodeStream(answer.body) : Readable.from([], { objectMode: false });
  }

  async size(key: string): Promise<number | null> {
    const found = await this.#ask("HEAD", key);
    return found ? Number(found.headers.get("content-length")) : null;
  }

  async put(key: string, body: Buffer): Promise<void> {
    await this.#done("PUT", key, { body, timeout: PART_TIMEOUT });
  }

  async remove(key: string): Promise<void> {
    await this.#ask("DELETE", key);
  }

  async copy(from: string, to: string): Promise<void> {
    const answer = await this.#done("PUT", to, {
      headers: { "x-amz-copy-source": this.#sourceOf(from) },
      timeout: PART_TIMEOUT,
    });
    // S3 reports a copy that fails halfway with status 200.
    if ((await answer.text()).includes("<Error>")) throw unavailableRefusal();
  }

  async beginParts(key: string): Promise<string> {
    const answer = await this.#done("POST", key, { query: { uploads: "" } });
    return readXmlElement(await answer.text(), "UploadId");
  }

  /** Stores a part and returns its ETag, with which the upload is completed. */
  async putPart(
    key: string,
    uploadId: string,
    { number, body }: { number: number; body: Buffer },
  ): Promise<string> {
    const query = { partNumber: String(number), uploadId };
    const answer = await this.#done("PUT", key, { query, body, timeout: PART_TIMEOUT });
    await answer.arrayBuffer();
    return answer.headers.get("etag") ?? "";
  }

  /** Like `putPart`, for bytes that are copied from another object. */
  async copyPart(
    key: string,
    uploadId: string,
    part: { number: number; of: string; from: number; to: number },
  ): Promise<string> {
    const headers = {
      "x-amz-copy-source": this.#sourceOf(part.of),
      "x-amz-copy-source-range": `bytes=${part.from}-${part.to}`,
    };
    const query = { partNumber: String(part.number), uploadId };
    const answer = await this.#done("PUT", key, { query, headers, timeout: PART_TIMEOUT });
    return readXmlElement(await answer.text(), "ETag");
  }

  async endParts(key: string, uploadId: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map(
      (tag, at) =>
        `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag.replaceAll("&", "&amp;")}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
    const answer = await this.#done("POST", key, { query: { uploadId }, body, timeout: PART_TIMEOUT });
    if ((await answer.text()).includes("<Error>")) throw unavailableRefusal();
  }

  async dropParts(key: string, uploadId: string): Promise<void> {
    await this.#ask("DELETE", key, { query: { uploadId } });
  }

  /** Lists all objects with this key prefix, in order of their keys. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    let more: string | null = null;
    do {
      const query: Record<string, string> = {
        "list-type": "2",
        prefix,
        ...(more !== null && { "continuation-token": more }),
      };
      const text: string = await (await this.#done("GET", "", { query })).text();
      for (const [, entry] of text.matchAll(/<Contents>([^]*?)<\/Contents>/g))
        yield {
          key: readXmlElement(entry!, "Key"),
          size: Number(readXmlElement(entry!, "Size")),
          changedAt: new Date(readXmlElement(entry!, "LastModified")),
        };
      more = text.includes("<IsTruncated>true<") ? readXmlElement(text, "NextContinuationToken") : null;
    } while (more !== null);
  }

  #sourceOf = (key: string) => `/${this.#bucket || new URL(this.#base).hostname.split(".")[0]}/${key}`;

  async #done(method: Method, key: string, options: S3RequestOptions): Promise<Response> {
    const answer = await this.#ask(method, key, options);
    if (!answer) throw unavailableRefusal(new BucketError(404, method));
    return answer;
  }

  /** Returns null for a missing object. */
  async #ask(
    method: Method,
    key: string,
    { query = {}, headers = {}, body, timeout = RESPONSE_TIMEOUT }: S3RequestOptions = {},
  ): Promise<Response | null> {
    const hash = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const parameters = new URLSearchParams(query).toString();
    const url = `${this.#base}${key === "" ? "" : `/${key}`}${parameters === "" ? "" : `?${parameters}`}`;
    const sent = {
      method,
      headers: { ...headers, "x-amz-content-sha256": hash },
      // eslint-disable-next-line typescript/no-unsafe-type-assertion -- Our buffers are not shared memory.
      ...(body && { body: body as BodyInit }),
    };
    const answer = await this.#send(url, sent, timeout).catch((error: unknown) => {
      throw unavailableRefusal(error);
    });
    if (answer.ok) return answer;
    await answer.body?.cancel();
    if (answer.status === 404) return null;
    throw unavailableRefusal(new BucketError(answer.status, method));
  }

  /** A reused idle connection may be broken. A retry is cheap, and each of our calls is idempotent. */
  async #send(url: string, sent: RequestInit, timeout: number, tries = MAX_ATTEMPTS): Promise<Response> {
    const given = new AbortController();
    const clock = setTimeout(() => given.abort(), timeout);
    try {
      return await this.#client.fetch(url, { ...sent, signal: given.signal });
    } catch (error) {
      if (tries <= 1 || given.signal.aborted) throw error;
      return this.#send(url, sent, timeout, tries - 1);
    } finally {
      clearTimeout(clock);
    }
  }
}

const unavailableRefusal = (cause?: unknown) =>
  Object.assign(
    new Refusal("unavailable", "Files are not reachable right now. Try again in a moment.", {
      retryAfter: 30,
    }),
    {
      cause,
    },
  );

/** Returns the content of an XML element. Only our own keys and their tags are read. */
function readXmlElement(text: string, element: string): string {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1];
  if (found === undefined) throw unavailableRefusal(new Error(`The storage response has no ${element}.`));
  return found
    .replaceAll("&quot;", '"')
    .replaceAll("&#34;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
