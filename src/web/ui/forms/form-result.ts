import type { RejectedForm } from "../../request-context.ts";

/** Whether the result of a form is the kind of result that has this field. */
export const isFormResult = <T extends object>(answer: unknown, field: keyof T & string): answer is T =>
  typeof answer === "object" && answer !== null && field in answer;

/** Returns the result of a form if the form was rejected. */
export const findRejectedForm = (answer: unknown): RejectedForm | undefined =>
  isFormResult<RejectedForm>(answer, "refused") ? answer : undefined;
