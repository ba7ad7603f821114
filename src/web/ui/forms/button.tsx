import type { ButtonHTMLAttributes, ReactNode } from "react";
import { useNavigation } from "react-router";
import { Link, type LinkProps } from "../navigation/link.tsx";

type Kind = "plain" | "primary" | "quiet" | "danger";

export const Button = ({
  kind = "plain",
  className = "",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: Kind }) => (
  <button type="button" {...rest} data-kind={kind} className={`button ${className}`} />
);

export const ButtonLink = ({ kind = "plain", className = "", ...rest }: LinkProps & { kind?: Kind }) => (
  <Link {...rest} data-kind={kind} className={`button ${className}`} />
);

type SubmitButtonProps = {
  children: ReactNode;
  busy: string;
  kind?: Kind;
  name?: string;
  value?: string;
  className?: string;
  formAction?: string;
  disabled?: boolean;
};

/**
 * Submit button. While its form is being sent, it shows `busy` and cannot be pressed again; without scripts
 * it is a plain button.
 */
export function SubmitButton({
  children,
  busy,
  kind = "primary",
  className,
  name,
  value,
  formAction,
  disabled,
}: SubmitButtonProps) {
  const navigation = useNavigation();
  const asked = navigation.formData?.get(name ?? "preview");
  const sent = navigation.state === "submitting" && (name === undefined ? !asked : asked === value);
  return (
    <Button
      type="submit"
      kind={kind}
      className={className}
      name={name}
      value={value}
      formAction={formAction}
      disabled={disabled}
      aria-busy={sent || undefined}
      aria-disabled={sent || undefined}
      onClick={(event) => sent && event.preventDefault()}
    >
      {sent ? busy : children}
    </Button>
  );
}
