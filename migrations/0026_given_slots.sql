-- slot_search: where the order may get its slot. may_be_late: it needs attention once it is late.
ALTER TYPE arriving_order ADD ATTRIBUTE slot_search json, ADD ATTRIBUTE may_be_late boolean;
