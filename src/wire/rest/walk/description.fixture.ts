import { Ajv2020 } from "ajv/dist/2020.js";

type Content = { content?: Record<string, unknown> };
type Operation = { requestBody?: Content; responses: { 200: Content } };
type Json = Record<string, unknown>;

const JSON_TYPE = "application/json";
const pointer = (...parts: string[]) =>
  parts.map((it) => `/${encodeURIComponent(it.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** Where there is nothing to say, the client says so in one of two ways. */
const isNothing = (what: unknown) => what === "" || what === undefined || JSON.stringify(what) === "{}";

/** Holds what goes over the wire against a description of it: what does not fit, a sentence each. */
export function descriptionOf(described: Json) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(described, "kith");
  const { paths } = described as { paths: Record<string, Record<string, Operation>> };
  const faultsOf = (at: string[], what: unknown): string[] => {
    const fits = ajv.compile({ $ref: `kith#${pointer(...at)}` });
    return fits(what) ? [] : fits.errors!.map(({ instancePath, message }) => `${at[3]} ${instancePath}: ${message}`);
  };
  const check = ({ content }: Content, at: string[], what: unknown): string[] => {
    if (!content) return isNothing(what) ? [] : [`${at[3]}: nothing is said of this`];
    // What travels as bytes, or in a form, is not for a schema to look at.
    return Object.keys(content).some((type) => type !== JSON_TYPE) ? [] : faultsOf([...at, "content", JSON_TYPE, "schema"], what);
  };
  return {
    sent: (method: string, path: string, body: unknown) =>
      body === undefined
        ? []
        : check(operation(method, path).requestBody ?? {}, ["paths", path, method.toLowerCase(), "requestBody"], body),
    answered: (method: string, path: string, answer: unknown) =>
      check(operation(method, path).responses[200], ["paths", path, method.toLowerCase(), "responses", "200"], answer),
  };
  function operation(method: string, path: string): Operation {
    return paths[path]![method.toLowerCase()]!;
  }
}
