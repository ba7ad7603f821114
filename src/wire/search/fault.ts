/** What these clients read of a call that went wrong: the status and the message, which their errors then bear. */
export class Fault extends Error {
  override name = "Fault";
  readonly status: 400 | 403 | 404 | 413;
  constructor(status: Fault["status"], message: string) {
    super(message);
    this.status = status;
  }
}

export const notAllowed = () => new Fault(403, "Method not allowed with this API key");
