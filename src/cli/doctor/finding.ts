export interface Finding {
  readonly state: 'fine' | 'remark' | 'wrong';
  readonly what: string;
  /** What to do about it. */
  readonly todo?: string;
}

export const fine = (what: string): Finding => ({ state: 'fine', what });
export const remark = (what: string, todo: string): Finding => ({ state: 'remark', what, todo });
export const wrong = (what: string, todo: string): Finding => ({ state: 'wrong', what, todo });
