"""Secrets and contributions for luck that players can check; an audit log; rate limits that processes share."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("secret", sa.String(64), nullable=True))
    op.add_column("tables", sa.Column("contributions", sa.JSON, nullable=True))
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=True),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("detail", sa.String(64), nullable=True),
    )
    op.create_index("audit_by_time", "audit", ["at"])
    op.create_index("audit_by_table", "audit", ["table_id"])
    op.create_table(
        "buckets",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("tokens", sa.Float, nullable=False),
        sa.Column("filled", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "sockets",
        sa.Column("process", sa.String(32), sa.ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
        sa.Column("visitor", sa.String(64), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("process", "visitor"),
    )


def downgrade() -> None:
    op.drop_table("sockets")
    op.drop_table("buckets")
    op.drop_table("audit")
    op.drop_column("tables", "contributions")
    op.drop_column("tables", "secret")
