/** An error as clients read it: status and message. */
export class Fault extends Error {
  override name = "Fault";
  readonly status: 400 | 403 | 404 | 413;
  constructor(status: Fault["status"], message: string) {
    super(message);
    this.status = status;
  }
}

export const notAllowed = () => new Fault(403, "Method not allowed with this API key");
