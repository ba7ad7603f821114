/** Whether a title sounds like the discussion for introductions, if no admin has chosen one. */
export const soundsLikeIntroductions = ({ title }: { title: string }) =>
  /introduc|hello|welcome/i.test(title);
