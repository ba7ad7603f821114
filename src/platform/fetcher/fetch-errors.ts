/** No page: the address is forbidden, or the response is an error, too large, or missing. */
export class FetchError extends Error {
  override name = "FetchFault";
  /** May succeed later: no answer, a timeout, or an overloaded server. */
  readonly passing: boolean;
  constructor(message: string, { passing = false, ...options }: ErrorOptions & { passing?: boolean } = {}) {
    super(message, options);
    this.passing = passing;
  }
}

/** An address that is not requested: inside our network, of another scheme, or with a password in it. */
export class ForbiddenAddress extends FetchError {
  override name = "ForbiddenAddress";
}
