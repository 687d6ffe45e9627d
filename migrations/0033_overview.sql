-- A page of one merchant's stores in the order of their ids.
CREATE INDEX stores_of_merchant_by_id ON stores (merchant_id, id);

-- The few webhooks that do not get through.
CREATE INDEX webhooks_failing ON webhooks (merchant_id) WHERE failing_since IS NOT NULL AND status <> 'removed';
