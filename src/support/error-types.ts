/** Every type that an entry of a 422 can have; `docs/errors.md` describes them. */
// prettier-ignore
export type ErrorType =
  | 'missing' | 'extra_forbidden' | 'string_type' | 'string_too_short' | 'string_too_long' | 'string_unicode'
  | 'int_type' | 'int_parsing' | 'int_from_float' | 'float_type' | 'finite_number' | 'bool_type'
  | 'bool_parsing' | 'enum' | 'greater_than_equal' | 'less_than_equal' | 'list_type' | 'too_short'
  | 'too_long' | 'dict_type' | 'model_attributes_type' | 'datetime_type' | 'datetime_from_date_parsing'
  | 'json_invalid' | 'value_error' | 'too_many_errors' | 'unresolved_reference' | 'duplicate_external_id'
  | 'unknown_entity' | 'tree_too_large' | 'currency_differs' | 'duplicate_date' | 'query_too_broad'
  | 'unknown_item' | 'not_sold_separately' | 'sold_out' | 'outside_hours' | 'unknown_group'
  | 'unknown_modifier' | 'modifier_quantity' | 'group_min' | 'group_max' | 'too_deep' | 'negative_line'
  | 'price_mismatch' | 'tax_mismatch' | 'negative_total' | 'total_too_large' | 'store_paused' | 'store_closed'
  | 'too_early' | 'too_late' | 'slot_full';
