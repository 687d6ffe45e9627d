-- Photos of items.

-- The bytes, once for each merchant and content. id: 128 bits of a SHA-256 over the merchant's id and the bytes, so that nobody
-- learns from an address whether another merchant has the same photo. put_at: when it was last given to an item.
CREATE TABLE photos (
  id          text COLLATE "C" PRIMARY KEY,
  merchant_id uuid NOT NULL,
  type        text NOT NULL,
  bytes       integer NOT NULL,
  content     bytea NOT NULL,
  put_at      timestamptz NOT NULL
);

-- They are compressed already.
ALTER TABLE photos ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE INDEX photos_of_merchant ON photos (merchant_id) INCLUDE (bytes);

-- Which item has which photo, and the small size of it. It stays when the item leaves the menu, and is there when it comes back.
CREATE TABLE menu_photos (
  store_key    integer NOT NULL,
  entity_id    bigint NOT NULL,
  photo        text COLLATE "C" NOT NULL,
  width        smallint NOT NULL,
  height       smallint NOT NULL,
  bytes        integer NOT NULL,
  small        text COLLATE "C",
  small_width  smallint,
  small_height smallint,
  PRIMARY KEY (store_key, entity_id)
);

CREATE INDEX menu_photos_by_photo ON menu_photos (photo);
CREATE INDEX menu_photos_by_small ON menu_photos (small) WHERE small IS NOT NULL;
