import { issueMessage, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import type { Extensions, FindCall } from "./extensions.ts";

/**
 * A method of a service, called at `POST /services/{service}/{name}`. `input` validates the request for
 * `run`, whose result is the answer. `Context` describes the caller.
 */
export type Method<Context> = {
  service: string;
  name: string;
  /** Description for the documentation. */
  about: string;
  input: z.ZodType;
  /** JSON Schema of the input, if it is validated by something other than `input`. */
  schema?: Record<string, unknown>;
  run: (context: Context, input: unknown) => Promise<unknown>;
  /** Key of the extension part that implements the method; a deferred call runs the part by this key. */
  part?: string;
};

const NAME = /^[A-Za-z][\w-]{0,63}$/;
type MethodsByService<Context> = Map<string, Map<string, Method<Context>>>;

/** All services: those of the community, and those of extensions. */
export class Services<Context> {
  readonly #methods: MethodsByService<Context> = new Map();
  #own: MethodsByService<Context> = new Map();
  /** Number that changes whenever the services change. */
  edition = 0;

  /**
   * Adds built-in methods.
   * @throws Error for a name that is invalid in a URL or already used, which is a bug
   */
  add(...methods: Method<Context>[]): this {
    for (const method of methods) addMethod(this.#methods, method);
    this.edition++;
    return this;
  }

  /**
   * Replaces the methods of extensions.
   * @throws as `add` does
   */
  setOwn(methods: Method<Context>[]): void {
    const own: MethodsByService<Context> = new Map();
    for (const method of methods) {
      if (this.#methods.get(method.service)?.has(method.name)) throw duplicateMethod(method);
      addMethod(own, method);
    }
    this.#own = own;
    this.edition++;
  }

  /** Lists all methods in the order of registration. */
  all(): Method<Context>[] {
    return [this.#methods, this.#own].flatMap((services) =>
      [...services.values()].flatMap((methods) => [...methods.values()]),
    );
  }

  /**
   * Returns a method.
   * @throws `not-found` for an unknown service or method
   */
  method(service: string, name: string): Method<Context> {
    const found = this.#methods.get(service)?.get(name) ?? this.#own.get(service)?.get(name);
    if (found) return found;
    if (!this.#methods.has(service) && !this.#own.has(service))
      throw new Refusal("not-found", msg("There is no service ''{service}''.", { service }), {
        kind: "service-not-found",
      });
    throw new Refusal(
      "not-found",
      msg("The service ''{service}'' has no method ''{name}''.", { service, name }),
      {
        kind: "method-not-found",
      },
    );
  }

  /**
   * Runs a method.
   * @throws `not-found` for an unknown service or method, `invalid` by field for invalid input, and the
   * refusals of the method
   */
  async call(service: string, name: string, context: Context, sent: unknown): Promise<unknown> {
    return this.method(service, name).run(context, await this.parseInput(service, name, sent));
  }

  /** Validates input for a method without running it. @throws as `call` does */
  async parseInput(service: string, name: string, sent: unknown): Promise<unknown> {
    const parsed = await this.method(service, name).input.safeParseAsync(sent);
    if (!parsed.success) throw invalidInput(parsed.error);
    return parsed.data;
  }
}

function addMethod<Context>(services: MethodsByService<Context>, method: Method<Context>): void {
  const { service, name } = method;
  if (!NAME.test(service) || !NAME.test(name))
    throw new Error(`${service}/${name} is not a valid service and method name.`);
  const known = services.get(service) ?? new Map<string, Method<Context>>();
  if (known.has(name)) throw duplicateMethod(method);
  services.set(service, known.set(name, method));
}

const duplicateMethod = ({ service, name }: { service: string; name: string }) =>
  new Error(`There are two methods ${service}/${name}.`);

/**
 * Creates the refusal of invalid input. Its message is that of the first invalid field; each field has its
 * own.
 */
function invalidInput({ issues }: z.ZodError): Refusal {
  const fields = Object.fromEntries(
    issues.toReversed().map((issue) => [issue.path.map(String).join("."), issueMessage(issue)]),
  );
  const [first] = issues;
  const place = first?.path.map(String).join(".");
  const what = first ? issueMessage(first) : "The input is not valid.";
  return new Refusal("invalid", place ? msg("{place}: {what}", { place, what }) : what, { fields });
}

/** Registers the methods of extensions as services, again at every reload. */
export function offerServices<Context, Call extends Context>(
  extensions: Extensions<Context>,
  services: Services<Call>,
  withinOf: FindCall<Context>,
): void {
  extensions.onChange(() =>
    services.setOwn(
      extensions.parts.flatMap((part): Method<Call>[] => {
        if (part.kind !== "service") return [];
        const { key, service, method: name, about, schema } = part;
        const run = (context: Call, input: unknown) =>
          extensions.run(key, input, context, { within: withinOf(context) });
        // The extension's own thread validates the input; the schema here is for the documentation.
        return [{ service, name, about, input: z.unknown(), schema, run, part: key }];
      }),
    ),
  );
}
