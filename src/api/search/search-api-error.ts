/** An error as clients read it: status and message. */
export class SearchApiError extends Error {
  override name = "Fault";
  readonly status: 400 | 403 | 404 | 413;
  constructor(status: SearchApiError["status"], message: string) {
    super(message);
    this.status = status;
  }
}

export const notAllowedError = () => new SearchApiError(403, "Method not allowed with this API key");
