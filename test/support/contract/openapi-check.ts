import { Ajv2020 } from "ajv/dist/2020.js";

type Content = { content?: Record<string, unknown> };
type Operation = { requestBody?: Content; responses: { 200: Content } };
type Json = Record<string, unknown>;

const JSON_TYPE = "application/json";
const jsonPointer = (...parts: string[]) =>
  parts.map((it) => `/${encodeURIComponent(it.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** The client returns an empty answer in one of these forms. */
const isEmptyAnswer = (what: unknown) => what === "" || what === undefined || JSON.stringify(what) === "{}";

/**
 * Creates a check of requests and answers against an OpenAPI document; it returns one sentence per mismatch.
 */
export function createOpenApiCheck(described: Json) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(
    described,
    "kith",
  );
  const { paths } = described as { paths: Record<string, Record<string, Operation>> };
  const faultsOf = (at: string[], what: unknown): string[] => {
    const fits = ajv.compile({ $ref: `kith#${jsonPointer(...at)}` });
    return fits(what)
      ? []
      : fits.errors!.map(({ instancePath, message }) => `${at[3]} ${instancePath}: ${message}`);
  };
  const check = ({ content }: Content, at: string[], what: unknown): string[] => {
    if (!content) return isEmptyAnswer(what) ? [] : [`${at[3]}: nothing is said of this`];
    // Bytes and forms are not validated.
    return Object.keys(content).some((type) => type !== JSON_TYPE)
      ? []
      : faultsOf([...at, "content", JSON_TYPE, "schema"], what);
  };
  return {
    sent: (method: string, path: string, body: unknown) =>
      body === undefined
        ? []
        : check(
            operation(method, path).requestBody ?? {},
            ["paths", path, method.toLowerCase(), "requestBody"],
            body,
          ),
    answered: (method: string, path: string, answer: unknown) =>
      check(
        operation(method, path).responses[200],
        ["paths", path, method.toLowerCase(), "responses", "200"],
        answer,
      ),
  };
  function operation(method: string, path: string): Operation {
    return paths[path]![method.toLowerCase()]!;
  }
}
