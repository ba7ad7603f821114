/**
 * A page could not be fetched: the address is forbidden, or the response is an error, too large, or missing.
 */
export class FetchError extends Error {
  override name = "FetchFault";
  /** True when a retry may succeed: no answer, a timeout, or an overloaded server. */
  readonly passing: boolean;
  constructor(message: string, { passing = false, ...options }: ErrorOptions & { passing?: boolean } = {}) {
    super(message, options);
    this.passing = passing;
  }
}

/** An address that is never requested: inside our network, with another scheme, or with a password. */
export class ForbiddenAddress extends FetchError {
  override name = "ForbiddenAddress";
}

/** The response is larger than what is read. */
export class OversizedResponse extends FetchError {
  override name = "OversizedResponse";
}
